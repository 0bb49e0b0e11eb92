// The sentence recognizer as a pipeline has it.
#include <gmock/gmock.h>

#include "tests/components/pipes/tagging_pipeline.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

class SenterPipe : public testing::TaggingPipeline {
 protected:
  using Starts = std::vector<std::int8_t>;

  Example example(const Language& nlp, const Texts& words, Starts starts) {
    Doc doc = Doc::from_words(nlp.vocab(), words);
    doc.set_sent_starts(std::move(starts));
    return Example::from_reference(std::move(doc));
  }
  std::vector<Example> data(const Language& nlp) {
    return {example(nlp, {"Go", "on", ".", "Stop", "!"}, {1, -1, -1, 1, -1}),
            example(nlp, {"Stop", ".", "Go", "."}, {1, -1, 1, -1})};
  }
};

TEST_F(SenterPipe, LearnsAndIsTheSameAfterSaving) {
  const auto nlp = pipeline("senter");
  auto examples = data(*nlp);
  learn(*nlp, examples);
  const auto loaded = saved_and_loaded(*nlp);
  Doc doc = Doc::from_words(loaded->vocab(), {"Go", "on", ".", "Stop", "!"});
  annotate(*loaded, doc);
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, -1, 1, -1));
  EXPECT_THAT(loaded->find("it")->labels(), ElementsAre("I", "S"));
  EXPECT_TRUE(loaded->find("it")->label_data().is_null());
  // As in spaCy, they are no names that a user gave.
  EXPECT_TRUE(loaded->meta().find("labels")->as_object().empty());
}

TEST_F(SenterPipe, KeepsMarksUnlessItOverwrites) {
  for (const bool overwrite : {false, true}) {
    const auto nlp = pipeline("senter", overwrite ? "overwrite = true\n" : "");
    auto examples = data(*nlp);
    learn(*nlp, examples);
    Doc doc = Doc::from_words(nlp->vocab(), {"Go", "on", ".", "Stop", "!"});
    doc.set_sent_starts({1, 1, 0, 0, 0});
    annotate(*nlp, doc);
    EXPECT_EQ(doc.sent_starts()[1], overwrite ? -1 : 1);
    EXPECT_EQ(doc.sent_starts()[3], 1);
  }
}

TEST_F(SenterPipe, ADocumentWithoutSentencesIsLearntAsOne) {
  const auto nlp = pipeline("senter");
  std::vector<Example> examples = {example(*nlp, {"a", "b", "c"}, {1, 0, 0})};
  nlp->initialize(examples);
  WorkerPool pool(1);
  ShardRunner runner(*nlp, pool, {});
  EXPECT_NEAR(losses_of(runner, examples).at("it"), 3 * 0.5, 1e-6) << "0.25 + 0.25 of each token";
}

}  // namespace
}  // namespace weft
