#include "components/pipes/text_categorizer_defaults.h"

#include <string_view>

namespace weft {

namespace {

constexpr std::string_view kPlace = "EXCLUSIVE";

constexpr std::string_view kModel = R"(
[model]
@architectures = "spacy.TextCatEnsemble.v2"

[model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"

[model.tok2vec.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 64
rows = [2000, 2000, 500, 1000, 500]
attrs = ["NORM", "LOWER", "PREFIX", "SUFFIX", "SHAPE"]
include_static_vectors = false

[model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 64
window_size = 1
maxout_pieces = 3
depth = 2

[model.linear_model]
@architectures = "spacy.TextCatBOW.v3"
exclusive_classes = EXCLUSIVE
length = 262144
ngram_size = 1
no_output_layer = false
)";

constexpr std::string_view kFacts = R"({
  "default_score_weights": {"cats_score": 1.0, "cats_score_desc": null, "cats_micro_p": null,
      "cats_micro_r": null, "cats_micro_f": null, "cats_macro_p": null, "cats_macro_r": null,
      "cats_macro_f": null, "cats_macro_auc": null, "cats_f_per_type": null},
  "assigns": ["doc.cats"],
  "starter": {"model": {
    "@architectures": "spacy.TextCatBOW.v3", "exclusive_classes": EXCLUSIVE, "length": 262144,
    "ngram_size": 1, "no_output_layer": false
  }},
  "starter_accuracy": {"model": {
    "@architectures": "spacy.TextCatEnsemble.v2", "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"},
    "linear_model": {
      "@architectures": "spacy.TextCatBOW.v3", "exclusive_classes": EXCLUSIVE, "length": 262144,
      "ngram_size": 1, "no_output_layer": false}
  }}
})";

std::string filled(std::string_view text, bool exclusive) {
  std::string result(text);
  for (std::size_t at; (at = result.find(kPlace)) != result.npos;) {
    result.replace(at, kPlace.size(), exclusive ? "true" : "false");
  }
  return result;
}

}  // namespace

std::string default_text_classifier(bool exclusive) {
  return filled(kModel, exclusive);
}

const char* text_classifier_facts(bool exclusive) {
  static const std::string& several = *new std::string(filled(kFacts, false));
  static const std::string& one = *new std::string(filled(kFacts, true));
  return (exclusive ? one : several).c_str();
}

}  // namespace weft
