// Records of scorers of parses and spans: `pairs` of documents, scored in one call and in this
// order.
#include <memory>
#include <vector>

#include "framework/text/vocab.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/scorer_named.h"
#include "tests/conformance/conformance_components/spans.h"

namespace weft::conformance {
namespace {

constexpr double kScoreLimit = 1e-9;

}  // namespace

void replay_pair_scores(const std::filesystem::path& file, const Catalogue& catalogue,
                        Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int, const Json& record) {
    std::vector<Example> examples;
    for (const Json& pair : record.at("pairs")) {
      Doc predicted = document_of(pair.at("predicted"), vocab);
      Doc reference = document_of(pair.at("reference"), vocab);
      set_reference_spans(predicted, pair.at("predicted"));
      set_reference_spans(reference, pair.at("reference"));
      examples.emplace_back(std::move(predicted), std::move(reference));
    }
    for (const auto& [name, wanted] : record.at("expect").items()) {
      const Scorer scorer = scorer_named("spacy." + name + "_scorer.v1", catalogue);
      const Json found = Json::parse(to_standard_json(scorer.score(examples)));
      checks.near(record.at("id"), name, found, wanted, kScoreLimit);
    }
  });
}

}  // namespace weft::conformance
