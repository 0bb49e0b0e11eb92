// Records of scorers that compare tokens: `docs` are pairs of a predicted and a reference document,
// `expect` has the scores of each scorer.
#include <vector>

#include "framework/pipeline/scores.h"
#include "framework/text/vocab.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/scorer_named.h"

namespace weft::conformance {
namespace {

constexpr double kScoreLimit = 1e-9;

}  // namespace

void replay_token_scores(const std::filesystem::path& file, const Catalogue& catalogue,
                         Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int, const Json& record) {
    std::vector<Example> examples;
    for (const Json& pair : record.at("docs")) {
      examples.emplace_back(document_of(pair.at("predicted"), vocab),
                            document_of(pair.at("reference"), vocab));
    }
    const auto id = record.at("id").get<std::string>();
    for (const auto& [name, wanted] : record.at("expect").items()) {
      const Scores scores = scorer_named(name, catalogue).score(examples);
      checks.near(id, name, Json::parse(to_standard_json(scores)), wanted.at("scores"),
                  kScoreLimit);
    }
  });
}

}  // namespace weft::conformance
