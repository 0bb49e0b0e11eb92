// The parts of token-to-vector networks as functions, for architectures made of them. Sources:
// spaCy 3.8, `spacy.ml.models.tok2vec`; docs/ner-model.md, section 1.
#pragma once

#include <string>
#include <vector>

#include "framework/nn/model.h"
#include "registry/export.h"

namespace weft {

struct MultiHashEmbedSettings {
  int width = 0;
  std::vector<std::string> attrs;
  std::vector<int> rows;
  bool include_static_vectors = false;
};
// Documents to (tokens, width): a hash table for each attribute, mixed by a maxout layer.
WEFT_API ModelPtr multi_hash_embed(const MultiHashEmbedSettings& settings);

struct MaxoutWindowEncoderSettings {
  int width = 0;
  int window_size = 0;
  int maxout_pieces = 0;
  int depth = 0;
};
// (tokens, width) to the same: layers that see `window_size` neighbours on each side.
WEFT_API ModelPtr maxout_window_encoder(const MaxoutWindowEncoderSettings& settings);

// Documents to vectors by one part, then the other.
WEFT_API ModelPtr tok2vec(const ModelPtr& embed, const ModelPtr& encode);

}  // namespace weft
