// Scores of dependencies, counted by hand.
#include "components/scorers/dependency_scores.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/pipeline/score_sessions.h"
#include "registry/value/json.h"

namespace weft {
namespace {

class DependencyScores : public ::testing::Test {
 protected:
  Doc doc(std::vector<std::int32_t> heads, const std::vector<std::string>& labels) const {
    Doc doc = Doc::from_words(vocab_, {"a", "b", "c"});
    std::vector<StringId> ids;
    for (const std::string& label : labels) {
      ids.push_back(label.empty() ? 0 : vocab_->strings().add(label));
    }
    doc.set_heads(std::move(heads));
    doc.set_column(Attr::dep, std::move(ids));
    return doc;
  }
  Scores score(const Doc& predicted, const Doc& reference) const {
    const std::vector<Example> examples = {Example(predicted, reference)};
    const ScoreSessionPtr session = dependency_score_session();
    session->add(examples);
    return session->finish();
  }
  const std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(DependencyScores, AHeadWithoutALabelDoesNotCount) {
  const Doc reference = doc({1, 0, -1}, {"det", "ROOT", "dobj"});
  const Scores scores = score(doc({1, 0, -1}, {"det", "ROOT", ""}), reference);
  EXPECT_DOUBLE_EQ(scores.find("dep_uas")->as_float(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(score(reference, reference).find("dep_uas")->as_float(), 1);
}

TEST_F(DependencyScores, LetterCaseOfLabelsDoesNotCountInAnyScript) {
  const Doc upper = doc({1, 0, -1}, {"ÄB", "ROOT", "ДОП"});
  const Doc small = doc({1, 0, -1}, {"äb", "root", "доп"});
  EXPECT_DOUBLE_EQ(score(upper, small).find("dep_las")->as_float(), 1);
}

}  // namespace
}  // namespace weft
