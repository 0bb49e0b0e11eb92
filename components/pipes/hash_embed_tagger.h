// The network that taggers and lemmatizers have unless the config says otherwise. spaCy 3.8.
#pragma once

namespace weft {

inline constexpr const char* kHashEmbedTagger = R"(
[model]
@architectures = "spacy.Tagger.v2"

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
)";

}  // namespace weft
