// The table of a rehearsal and its state, without a run.
#include "framework/training/rehearsal.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class NoBatches : public Batcher {
 public:
  BatchStreamPtr start(ExampleStream&, std::int64_t&) const override { return nullptr; }
};

class RehearsalTest : public ::testing::Test {
 protected:
  RehearsalTest() {
    const auto component = std::make_shared<testing::OneWeight>();
    component->known = {"PER"};
    tutor_->add({"ner", component});
  }
  std::unique_ptr<Rehearsal> rehearsal(const Node& state = Node()) {
    return std::make_unique<Rehearsal>(nlp_, tutor_, corpus_, batcher_, settings_, 7, state);
  }
  static Scores scores(double f) {
    Scores scores;
    scores.set("ents_per_type", *parse_json(R"({"PER": {"f": )" + std::to_string(f) +
                                            R"(}, "NEW": {"f": 0.5}, "odd": 3})"));
    return scores;
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<Language> tutor_ =
      std::make_shared<Language>(Config(), testing::plain_settings());
  Reader corpus_{[](const Language& nlp) {
    return stream_of([&nlp, left = 1]() mutable -> ExamplePtr {
      if (left-- == 0) return nullptr;
      return std::make_shared<Example>(testing::documents_of(nlp, {1})[0]);
    });
  }};
  NoBatches batcher_;
  RehearsalSettings settings_{.corpus = "corpora.old", .every = 1, .weight = 1.0, .max_drop = 5.0};
};

TEST_F(RehearsalTest, LabelsThatTheTutorKnewAreComparedAlone) {
  const auto rehearsal = this->rehearsal();
  rehearsal->set_before(scores(0.9));
  rehearsal->evaluated(scores(0.8), false);
  EXPECT_THAT(rehearsal->table(), HasSubstr("ents_per_type: PER"));
  EXPECT_THAT(rehearsal->table(), Not(HasSubstr("NEW")));
}

// Until one was better, the first evaluation is that of the pipeline that was saved as the best.
TEST_F(RehearsalTest, TheFirstEvaluationIsTheBestSoFar) {
  const auto rehearsal = this->rehearsal();
  rehearsal->set_before(scores(0.5));
  rehearsal->evaluated(scores(0.75), false);
  EXPECT_EQ(rehearsal->lost_too_much(), "");
  rehearsal->evaluated(scores(0.25), false);
  EXPECT_EQ(rehearsal->lost_too_much(), "ents_per_type: PER lost 25.00 in model-last");
}

TEST_F(RehearsalTest, AStateThatIsNoneIsRefusedByName) {
  const Node good = rehearsal()->state();
  EXPECT_NO_THROW(rehearsal(good));
  const auto fault = [&](const char* key, const char* value) -> std::string {
    Object state = good.as_object();
    if (std::string(key) == "epoch") {
      state.find("position")->as_object().set(key, *parse_json(value));
    } else {
      state.set(key, *parse_json(value));
    }
    try {
      rehearsal(Node(std::move(state)));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "it goes on";
  };
  EXPECT_THAT(fault("epoch", "-1"), HasSubstr("no valid 'epoch'"));
  EXPECT_THAT(fault("epoch", "1.5"), HasSubstr("no valid 'epoch'"));
  EXPECT_THAT(fault("before", "{\"PER\": \"high\"}"), HasSubstr("no valid 'before'"));
  EXPECT_THAT(fault("last", "[]"), HasSubstr("no valid 'last'"));
}

}  // namespace
}  // namespace weft
