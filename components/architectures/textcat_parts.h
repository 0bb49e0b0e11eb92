// Parts of networks that classify documents, as functions. Source: spaCy 3.8,
// `spacy.ml.models.textcat`; docs/text-classification.md, section 3. The roots have the attribute
// multi_label (whether labels go together) and the ref output_layer.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "components/layers/layers.h"
#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

enum class SparseVersion : std::uint8_t { v1, v2 };

// Documents to (documents, nO): words and word sequences, each with a weight for each class.
struct TextCatBowSettings {
  bool exclusive_classes = false;
  int ngram_size = 1;
  bool no_output_layer = false;
  std::int64_t length = 262144;
  layers::Size nO = {};
  SparseVersion indexing = SparseVersion::v2;  // how weights lie
  bool grows = true;                           // further labels may be added
};
ModelPtr textcat_bow(const TextCatBowSettings& settings);

// chain({chain({a, b}), c}) ...: how an operator between layers nests them.
ModelPtr nested_chain(const std::vector<ModelPtr>& layers);

// The layer runs on rows of which each is a document, so that masks are drawn for documents.
ModelPtr on_documents(const ModelPtr& layer);

// The same nodes under a root that initialises them by `init`; the layers behind it have the root's
// dims.
ModelPtr with_init(const ModelPtr& root, Model::InitFn init);

// Sets the output's width from a sample of it: of the last layer below `layer` that has one of its
// own.
void infer_classes(Model& layer, const Value& output);

// The width of what `root` gives is that of a sample of the output, and so is that of the chains
// which end in the layer that gives it.
void set_classes(Model& root, const Value& output);

// Initialises a network whose ref output_layer gives the classes; their number is that of the
// sample of the output.
void initialize_classifier(Context& ctx, Model& model, const Value& input, const Value& output,
                           InitRandom& random);

// Refuses documents without tokens, of which a pool that takes one token's numbers has none: throws
// Error(data).
ModelPtr with_tokens(const ModelPtr& pool);

// The layer that a ref leads to; null: none.
ModelPtr find_ref(const Model& model, std::string_view name);

// A maxout of three pieces, as wide as its input, with layer norm and dropout behind it, added to
// its input: of documents. `width`: of the token vectors, as far as it is known.
struct PooledBlock {
  ModelPtr whole, maxout, norm;
};
PooledBlock pooled_block(layers::Size width);

// The width of token vectors, which a tok2vec may tell only when it has been initialised.
std::int64_t initialized_width(Context& ctx, Model& tok2vec, const Value& docs, InitRandom& random);

// A new row for each class that is missing until there are `classes`, in every layer below `root`
// that may grow: weights are zeros, the bias depends on the layers. Gives whether there is one.
WEFT_API bool grow_outputs(Model& root, std::int64_t classes);

}  // namespace weft
