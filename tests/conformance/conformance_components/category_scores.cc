// Records of the scorers of categories, which a text classifier gives its labels, threshold and
// positive label.
#include "components/scorers/category_scores.h"

#include <vector>

#include "framework/text/vocab.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/scorer_named.h"

namespace weft::conformance {
namespace {

constexpr double kScoreLimit = 1e-9;

CategoryScoring scoring_of(const Json& kwargs) {
  CategoryScoring scoring;
  for (const Json& label : kwargs.at("labels")) scoring.labels.push_back(label);
  scoring.threshold = kwargs.value("threshold", scoring.threshold);
  const auto positive = kwargs.find("positive_label");
  if (positive != kwargs.end() && !positive->is_null()) scoring.positive_label = *positive;
  return scoring;
}

// A document that has nothing but categories.
Doc document_with(const Json& cats, const VocabPtr& vocab) {
  Doc doc = Doc::from_words(vocab, {"word"});
  annotate(doc, Json{{"cats", cats}});
  return doc;
}

}  // namespace

void replay_category_scores(const std::filesystem::path& file, const Catalogue& catalogue,
                            Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int, const Json& record) {
    std::vector<Example> examples;
    for (const Json& pair : record.at("docs")) {
      examples.emplace_back(document_with(pair.at("predicted"), vocab),
                            document_with(pair.at("reference"), vocab));
    }
    const auto id = record.at("id").get<std::string>();
    const Scorer scorer = CategoryScorer::configured(scorer_named(record.at("scorer"), catalogue),
                                                     scoring_of(record.at("kwargs")));
    const Json scores = Json::parse(to_standard_json(scorer.score(examples)));
    const Json& expected = record.at("expect");
    if (expected.contains("scores")) {
      checks.near(id, "scores", scores, expected.at("scores"), kScoreLimit);
    } else {  // the reference fails: there are scores at all
      checks.equal(id, "error", scores.contains("cats_score"), true);
    }
  });
}

}  // namespace weft::conformance
