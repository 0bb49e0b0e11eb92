// The parts of token-to-vector networks as functions, for architectures made of them. Sources:
// spaCy 3.8, `spacy.ml.models.tok2vec`; docs/ner-model.md, section 1.
#pragma once

#include <string>
#include <vector>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

struct MultiHashEmbedSettings {
  int width = 0;
  std::vector<std::string> attrs;
  std::vector<int> rows;
  bool include_static_vectors = false;
};
// Documents to (tokens, width): a hash table for each attribute, mixed by a maxout layer.
WEFT_API ModelPtr multi_hash_embed(const MultiHashEmbedSettings& settings);
// With the older layer of static vectors.
WEFT_API ModelPtr multi_hash_embed_v1(const MultiHashEmbedSettings& settings);

struct CharacterEmbedSettings {
  int width = 0;
  int rows = 0;
  int nM = 0;
  int nC = 0;
  bool include_static_vectors = false;
  std::string feature = "LOWER";
};
// Documents to (tokens, width): bytes of each word and a hash table for one attribute, mixed.
WEFT_API ModelPtr character_embed(const CharacterEmbedSettings& settings);

struct MaxoutWindowEncoderSettings {
  int width = 0;
  int window_size = 0;
  int maxout_pieces = 0;
  int depth = 0;
};
// (tokens, width) to the same: layers that see `window_size` neighbours on each side.
WEFT_API ModelPtr maxout_window_encoder(const MaxoutWindowEncoderSettings& settings);

struct MishWindowEncoderSettings {
  int width = 0;
  int window_size = 0;
  int depth = 0;
};
WEFT_API ModelPtr mish_window_encoder(const MishWindowEncoderSettings& settings);

// Documents to vectors by one part, then the other.
WEFT_API ModelPtr tok2vec(const ModelPtr& embed, const ModelPtr& encode);

}  // namespace weft
