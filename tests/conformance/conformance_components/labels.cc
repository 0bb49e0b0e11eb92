// Records of the labels that components find in references, and of what label files hold of them.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/ops/context.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

// A network that is quickly made: no value of it is compared.
constexpr const char* kConfig = R"cfg([nlp]
lang = "en"
pipeline = ["learner"]

[components]

[components.learner]
factory = "{0}"
{1}

[components.learner.model]
@architectures = "spacy.Tagger.v2"

[components.learner.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 4
depth = 1
embed_size = 8
window_size = 1
maxout_pieces = 1
subword_features = false
)cfg";

std::shared_ptr<Language> pipeline_with(const std::string& factory, int min_tree_freq,
                                        const Catalogue& catalogue) {
  const bool counts = factory == "trainable_lemmatizer";
  const std::string text =
      fmt::format(fmt::runtime(kConfig), factory,
                  counts ? fmt::format("min_tree_freq = {}", min_tree_freq) : "");
  Problems problems;
  const Config read = read_cfg(text, "labels", problems, {.interpolate = false});
  const Config filled = fill_pipeline_config(read, catalogue, problems);
  if (has_errors(problems)) throw Error(ErrorKind::config, problems);
  return build_pipeline(filled, catalogue);
}

Json labels_found(const Json& record, const std::string& factory, const Catalogue& catalogue) {
  const auto nlp = pipeline_with(factory, record.at("min_tree_freq"), catalogue);
  std::vector<Example> examples;
  for (const Json& doc : record.at("docs")) {
    examples.push_back(Example::from_reference(document_of(doc, nlp->vocab())));
  }
  nlp->initialize(examples);
  return Json::parse(to_standard_json(nlp->find("learner")->label_data()));
}

}  // namespace

void replay_labels(const std::filesystem::path& file, const Catalogue& catalogue, Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    const auto id = record.at("id").get<std::string>();
    for (const auto& [factory, wanted] : record.at("expect").items()) {
      const bool fails = wanted.is_object() && wanted.contains("error");
      try {
        const Json found = labels_found(record, factory, catalogue);
        if (fails) {
          checks.failed(id, factory + ": no error, where the reference has one");
        } else {
          checks.equal(id, factory, found, wanted);
        }
      } catch (const Error& error) {
        if (fails) {
          checks.passed();
        } else {
          checks.failed(id, factory + ": " + error.what());
        }
      }
    }
  });
}

}  // namespace weft::conformance
