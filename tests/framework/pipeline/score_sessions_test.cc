#include "framework/pipeline/score_sessions.h"

#include <gtest/gtest.h>

#include "framework/pipeline/tokenization_scores.h"
#include "registry/value/json.h"

namespace weft {
namespace {

class ScoreSessionsTest : public ::testing::Test {
 protected:
  ScoreSessionsTest() {
    for (int i = 0; i < 20; ++i) {
      Doc reference = Doc::from_words(vocab_, {"a", "b", "c"}, {true, true, false});
      reference.set_ents({{i % 3, i % 3 + 1, vocab_->strings().add("X")}});
      Example example = Example::from_reference(std::move(reference));
      if (i % 2 == 0) example.predicted().set_ents({{0, 1, vocab_->strings().add("X")}});
      examples_.push_back(std::move(example));
    }
  }

  // The scores when they come in groups of that size.
  std::string in_groups(ScoreSessionPtr session, std::size_t size) const {
    const std::span<const Example> all(examples_);
    for (std::size_t i = 0; i < all.size(); i += size) {
      session->add(all.subspan(i, std::min(size, all.size() - i)));
    }
    return to_json(session->finish());
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<const Vocab>("xx");
  std::vector<Example> examples_;
};

TEST_F(ScoreSessionsTest, GroupsHaveTheScoresOfTheWhole) {
  for (const std::size_t size : {1u, 3u, 20u}) {
    EXPECT_EQ(in_groups(tokenization_score_session(), size),
              to_json(score_tokenization(examples_)));
  }
}

TEST_F(ScoreSessionsTest, ScoresThatAreNoSumsGetAllAtTheEnd) {
  int calls = 0;
  const auto count = [&](std::span<const Example> examples) {
    ++calls;
    Scores scores;
    scores.set("examples", static_cast<std::int64_t>(examples.size()));
    return scores;
  };
  EXPECT_EQ(in_groups(score_all_at_end(count), 3), "{\"examples\": 20}");
  EXPECT_EQ(calls, 1);
}

TEST_F(ScoreSessionsTest, AScorerIsStartedAsItCan) {
  EXPECT_EQ(in_groups(start_session({}), 7), "{}");
  EXPECT_EQ(in_groups(start_session(tokenization_scorer()), 7),
            to_json(score_tokenization(examples_)));
  const Scorer whole = {[](std::span<const Example> examples) {
    Scores scores;
    scores.set("at_once", static_cast<std::int64_t>(examples.size()));
    return scores;
  }};
  EXPECT_EQ(in_groups(start_session(whole), 7), "{\"at_once\": 20}");
}

class Labelled final : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
  std::vector<std::string> labels() const override { return {"A", "B"}; }
};

TEST_F(ScoreSessionsTest, AScorerIsGivenTheSettingsOfItsComponent) {
  Scorer scorer = {[](std::span<const Example>) { return Scores(); }};
  EXPECT_EQ(in_groups(start_session(scorer, Labelled()), 7), "{}");
  scorer.score_with = [](std::span<const Example> examples, const Object& settings) {
    Scores scores = settings;
    scores.set("at_once", static_cast<std::int64_t>(examples.size()));
    return scores;
  };
  Object cfg;
  cfg.set("threshold", 0.5);
  EXPECT_EQ(in_groups(start_session(scorer, Labelled(), cfg), 7),
            R"({"threshold": 0.5, "labels": ["A", "B"], "at_once": 20})");
  cfg.set("labels", List{1});
  EXPECT_EQ(in_groups(start_session(scorer, Labelled(), cfg), 7),
            R"({"threshold": 0.5, "labels": [1], "at_once": 20})");
}

TEST_F(ScoreSessionsTest, NoScoresAreNone) {
  EXPECT_EQ(in_groups(no_scores(), 7), "{}");
}

}  // namespace
}  // namespace weft
