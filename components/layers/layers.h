// The layers as functions, for layers and architectures that are made of them. Each stands in a
// file of its own, together with its name for configs. Sources: Thinc 8.3, `thinc.layers`;
// spaCy 3.8, `spacy.ml`. Arrays are (rows, width); a ragged array stands wherever Thinc has a list
// of arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/nn/initializer.h"
#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft::layers {

using Size = std::optional<std::int64_t>;  // nothing: inferred from a sample

// Y = X W^T + b on arrays. Params W (nO, nI), b (nO).
struct LinearSettings {
  Size outputs = {};
  Size inputs = {};
  std::optional<Initializer> init_w = {};  // glorot_uniform_init
  std::optional<Initializer> init_b = {};  // zero_init
};
WEFT_API ModelPtr linear(const LinearSettings& settings);

// One layer after the other.
WEFT_API ModelPtr chain(const std::vector<ModelPtr>& layers);
// A ragged array or list to one array.
WEFT_API ModelPtr list2array();
// Gives what it takes.
WEFT_API ModelPtr noop(const std::vector<ModelPtr>& layers = {});

// The columns of what each layer makes of the same input, side by side.
WEFT_API ModelPtr concatenate(const std::vector<ModelPtr>& layers);
// Y = layer(X) + X.
WEFT_API ModelPtr residual(const ModelPtr& layer);
// Y = layer1(X) + layer2(X) + ...
WEFT_API ModelPtr add(const std::vector<ModelPtr>& layers);
// `count` copies of a layer, one after the other; fresh values are drawn for each.
WEFT_API ModelPtr clone(const ModelPtr& layer, int count);
// Runs a layer on all rows of the documents at once. With `pad` > 0, so many rows of zeros stand
// before, between and behind the documents.
WEFT_API ModelPtr with_array(const ModelPtr& layer, int pad = 0);
WEFT_API ModelPtr list2ragged();
WEFT_API ModelPtr ragged2list();
// Every row together with `window` rows before and behind it.
WEFT_API ModelPtr expand_window(int window);

// H = max over pieces of X W^T + b. Params W (nO, nP, nI), b (nO, nP).
struct MaxoutSettings {
  Size outputs = {};
  Size inputs = {};
  Size pieces = 3;
  std::optional<Initializer> init_w = {};  // glorot_uniform_init
  std::optional<Initializer> init_b = {};  // zero_init
  std::optional<double> dropout = {};      // with a rate, also 0: a dropout layer behind
  bool normalize = false;                  // layer norm behind
};
WEFT_API ModelPtr maxout(const MaxoutSettings& settings);
// An affine map with an activation. `name`: that of the node.
struct ActivatedSettings {
  Size outputs = {};
  Size inputs = {};
  std::optional<Initializer> init_w = {};  // glorot_uniform_init
  std::optional<Initializer> init_b = {};  // zero_init
  std::optional<double> dropout = {};
  bool normalize = false;
};
WEFT_API ModelPtr mish(const ActivatedSettings& settings);
WEFT_API ModelPtr relu(const ActivatedSettings& settings);
WEFT_API ModelPtr gelu(const ActivatedSettings& settings);
WEFT_API ModelPtr swish(const ActivatedSettings& settings);
// Y = 1 / (1 + e^-(X W^T + b)). Params W (nO, nI), b (nO), zeros unless told otherwise.
WEFT_API ModelPtr sigmoid(Size outputs = {}, Size inputs = {},
                          const std::optional<Initializer>& init_w = {},
                          const std::optional<Initializer>& init_b = {});
WEFT_API ModelPtr sigmoid_activation();
// Probabilities of classes: the softmax of (X W^T + b) / temperature; in prediction the scores
// before it unless `normalize`. The gradient that it takes is that of the scores. Params W (nO,
// nI), b (nO).
struct SoftmaxSettings {
  Size outputs = {};
  Size inputs = {};
  std::optional<Initializer> init_w = {};  // zero_init
  std::optional<Initializer> init_b = {};  // zero_init
  bool normalize = true;
  double temperature = 1.0;
};
WEFT_API ModelPtr softmax(const SoftmaxSettings& settings);
// Params G (nI), b (nI).
WEFT_API ModelPtr layer_norm(Size inputs);
// In training every node drops at the rate of the run; `rate` is what a model file says.
WEFT_API ModelPtr dropout(double rate);

// 1 / (1 + e^-X), of X within -20 and 20.
WEFT_API ModelPtr logistic();
// Rows to probabilities, without weights, with the softmax's own slope in the backward pass.
WEFT_API ModelPtr softmax_activation();

// The sum of four rows of a table for each id. Param E (nV, nO).
struct HashEmbedSettings {
  std::int64_t outputs = 0;
  std::int64_t rows = 0;
  std::optional<std::int64_t> seed = {};        // one of its own for each layer
  Size column = {};                             // of ids (n, columns); nothing: ids are (n, 1)
  std::optional<Initializer> initializer = {};  // uniform_init(-0.1, 0.1)
  std::optional<double> dropout = {};
};
WEFT_API ModelPtr hash_embed(const HashEmbedSettings& settings);
// The pipeline's word vectors (see framework/text/vectors.h) of the tokens of documents, times W^T.
// Param W (nO, nM).
struct StaticVectorsSettings {
  Size outputs = {};
  Size width = {};  // of the vectors
  std::optional<double> dropout = {};
  std::optional<Initializer> init_w = {};  // glorot_uniform_init
  std::string key_attr = "ORTH";
};
WEFT_API ModelPtr static_vectors(const StaticVectorsSettings& settings);
// The same, with the table's last row instead of zeros for words that have no vector.
WEFT_API ModelPtr static_vectors_v1(const StaticVectorsSettings& settings);
// Documents to (tokens, count * width): the vectors of `count` bytes of every word. Param E (nC,
// nV, nM).
WEFT_API ModelPtr char_embed(int width, int count);
// Documents to counted keys: the ids of an attribute (by its number, 65 is ORTH) of the tokens, and
// hashes of sequences of up to `ngram_size` of them. A list of three arrays: keys (n, 1, u64),
// their counts (n, 1, i32), and how many keys each document has (documents, 1, i64).
WEFT_API ModelPtr extract_ngrams(int ngram_size, int attr);
// Counted keys to (documents, nO). Params W (nO * length), b (nO).
WEFT_API ModelPtr sparse_linear(Size outputs, std::int64_t length, bool v1_indexing = false);
// Rows of documents, weighted by shares that sum up to 1. Param Q (nO). The shares are those of the
// rows' keys, which `key_transform` makes of them; without it they are their own.
WEFT_API ModelPtr parametric_attention(Size outputs);
WEFT_API ModelPtr parametric_attention(Size outputs, const ModelPtr& key_transform);
// A layer on rows of ids, computed once for each different one.
WEFT_API ModelPtr uniqued(const ModelPtr& layer, int column = 0);
// The bias of an output that shall have no probability beside others.
inline constexpr float kImprobable = -5000.0F;
// The layer itself, under a node that says something about it: that it computes on the CPU; that
// its number of outputs may grow.
WEFT_API ModelPtr with_cpu(const ModelPtr& layer);
WEFT_API ModelPtr resizable(const ModelPtr& layer);
// Documents to ids (tokens, columns), one column for each attribute ("NORM", "LOWER" ...). Throws
// Error(config) for a name that is no attribute.
WEFT_API ModelPtr feature_extractor(const std::vector<std::string>& columns);

}  // namespace weft::layers
