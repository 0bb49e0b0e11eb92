#include "framework/pipeline/starter_config.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::string_view kHead = R"cfg([paths]
train = null
dev = null
vectors = null

[system]
gpu_allocator = null

[nlp]
lang = {lang}
pipeline = {pipeline}
batch_size = {batch_size}

[components]
)cfg";

constexpr std::string_view kTok2Vec = R"cfg(
[components.tok2vec]
factory = "tok2vec"

[components.tok2vec.model]
@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = ${{components.tok2vec.model.encode.width}}
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [5000, 1000, 2500, 2500]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = {width}
depth = {depth}
window_size = 1
maxout_pieces = 3
)cfg";

constexpr std::string_view kNer = R"cfg(
[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "ner"
extra_state_tokens = false
hidden_width = 64
maxout_pieces = 2
use_upper = true
nO = null

[components.ner.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = ${components.tok2vec.model.encode.width}
)cfg";

// Taggers of one kind: a linear layer over the shared token vectors.
constexpr std::string_view kTagger = R"cfg(
[components.{0}]
factory = "{0}"

[components.{0}.model]
@architectures = "spacy.Tagger.v2"
nO = null

[components.{0}.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = ${{components.tok2vec.model.encode.width}}
)cfg";

constexpr std::array<std::string_view, 4> kTaggers = {"tagger", "morphologizer", "senter",
                                                      "trainable_lemmatizer"};

bool is_tagger(const std::string& name) {
  return std::find(kTaggers.begin(), kTaggers.end(), name) != kTaggers.end();
}

bool shares_tok2vec(const std::string& name) {
  return name == "ner" || is_tagger(name);
}

std::string section_of(const std::string& name) {
  if (name == "ner") return std::string(kNer);
  if (is_tagger(name)) return fmt::format(kTagger, name);
  return fmt::format("\n[components.{0}]\nfactory = {1}\n", name, to_json(Node(name)));
}

std::string text_of(const StarterOptions& options) {
  std::vector<std::string> names = options.pipeline;
  std::erase(names, "tok2vec");
  const bool shared = std::any_of(names.begin(), names.end(), shares_tok2vec);
  List pipeline;
  if (shared) pipeline.emplace_back("tok2vec");
  for (const std::string& name : names) pipeline.emplace_back(name);
  std::string text = fmt::format(kHead, fmt::arg("lang", to_json(Node(options.lang))),
                                 fmt::arg("pipeline", to_json(Node(pipeline))),
                                 fmt::arg("batch_size", options.gpu ? 128 : 1000));
  if (shared) {
    text += fmt::format(kTok2Vec, fmt::arg("width", options.accuracy ? 256 : 96),
                        fmt::arg("depth", options.accuracy ? 8 : 4));
  }
  for (const std::string& name : names) text += section_of(name);
  return text;
}

}  // namespace

Config starter_config(const StarterOptions& options) {
  Problems problems;
  Config config = read_cfg(text_of(options), "starter config", problems, {.interpolate = false});
  if (has_errors(problems)) throw Error(ErrorKind::usage, std::move(problems));
  return config;
}

}  // namespace weft
