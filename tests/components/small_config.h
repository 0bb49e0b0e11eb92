// Config text of small pipelines that learn in well under a second: one place for all tests.
#pragma once

#include <string>

#include <fmt/format.h>

namespace weft::small {

inline std::string nlp_section(const std::string& pipeline, const std::string& lang = "en") {
  return fmt::format("[nlp]\nlang = \"{}\"\npipeline = {}\n\n[components]\n", lang, pipeline);
}

struct SmallEncoder {
  int width = 16, depth = 1, rows = 200, pieces = 2;
  bool subwords = false;
};

// The settings of a network of token vectors: hash embeddings, then maxout layers over windows.
inline std::string hash_embed_cnn(const SmallEncoder& c = {}) {
  return fmt::format(R"(@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = {}
depth = {}
embed_size = {}
window_size = 1
maxout_pieces = {}
subword_features = {}
)",
                     c.width, c.depth, c.rows, c.pieces, c.subwords);
}

// The same with the blocks `embed` and `encode` of their own below the section `place`.
inline std::string two_attributes(const std::string& place) {
  return fmt::format(R"(@architectures = "spacy.Tok2Vec.v2"

[{0}.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 16
attrs = ["NORM", "SHAPE"]
rows = [200, 50]
include_static_vectors = false

[{0}.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 16
depth = 1
window_size = 1
maxout_pieces = 2
)",
                     place);
}

// The settings of a network that takes its token vectors from the component `tok2vec`.
inline std::string listener(int width = 16) {
  return fmt::format("@architectures = \"spacy.Tok2VecListener.v1\"\nwidth = {}\n", width);
}

// The component whose network has the settings `network`.
inline std::string tok2vec_section(const std::string& network) {
  return "\n[components.tok2vec]\nfactory = \"tok2vec\"\n\n[components.tok2vec.model]\n" + network;
}

struct SmallParser {
  int hidden = 16, pieces = 2;
  bool upper = true, extra_tokens = false;
  std::string name = "ner";
  std::string factory = "ner";  // or "parser"
  std::string settings = "";    // further lines of the component's section
};

// An entity recognizer, or another component with a transition system, whose token vectors come
// from a network with the settings `tok2vec`.
inline std::string ner_section(const std::string& tok2vec, const SmallParser& c = {}) {
  return fmt::format(R"(
[components.{0}]
factory = "{6}"
{7}
[components.{0}.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "{6}"
extra_state_tokens = {1}
hidden_width = {2}
maxout_pieces = {3}
use_upper = {4}
nO = null

[components.{0}.model.tok2vec]
{5})",
                     c.name, c.extra_tokens, c.hidden, c.pieces, c.upper, tok2vec, c.factory,
                     c.settings);
}

}  // namespace weft::small
