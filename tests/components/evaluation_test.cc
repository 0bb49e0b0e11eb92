// Scores of examples that come one by one are those of all of them at once.
#include "framework/pipeline/evaluation.h"

#include <atomic>
#include <sstream>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/evaluation_corpus.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "tests/components/failing_allocations.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

class EvaluationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    Config config =
        read_cfg(small::nlp_section(R"(["ner"])") +
                     small::ner_section(small::hash_embed_cnn({.rows = 50, .subwords = true}),
                                        {.hidden = 64}),
                 "test", problems, {.interpolate = false});
    nlp_ = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
    make_examples(4000);
    nlp_->initialize(stream_maker());
  }

  // Lengths from 0 to 38 tokens: more than one flush of the evaluation.
  void make_examples(int count) {
    for (int i = 0; i < count; ++i) {
      std::vector<std::string> words;
      for (int k = 0; k < i % 39; ++k) words.push_back("w" + std::to_string((3 * i + k) % 70));
      Doc reference = Doc::from_words(nlp_->vocab(), words);
      if (i % 39 > 2 && i % 5 != 0) {
        reference.set_ents({{1, 3, nlp_->vocab()->strings().add(i % 2 == 0 ? "A" : "B")}});
      } else if (i % 7 == 0) {
        reference.set_ents({});
      }
      examples_.push_back(std::make_shared<Example>(Example::from_reference(std::move(reference))));
    }
  }

  std::function<ExampleStreamPtr()> stream_maker() {
    return [this] {
      return stream_of([this, next = std::size_t{0}]() mutable -> ExamplePtr {
        return next < examples_.size() ? std::make_shared<Example>(*examples_[next++]) : nullptr;
      });
    };
  }

  static std::string text(Scores scores) {
    scores.erase("speed");
    return to_json(scores);
  }

  std::shared_ptr<Language> nlp_;
  std::vector<ExamplePtr> examples_;
};

TEST_F(EvaluationTest, AStreamHasTheScoresOfTheWhole) {
  WorkerPool pool(1);
  std::vector<Example> all;
  for (const ExamplePtr& example : examples_) all.push_back(*example);
  const std::string whole = text(nlp_->evaluate(all, pool));
  EXPECT_NE(whole.find("ents_per_type"), std::string::npos);
  for (const int threads : {1, 3}) {
    WorkerPool threads_pool(threads);
    EXPECT_EQ(text(nlp_->evaluate(*stream_maker()(), threads_pool)), whole) << threads;
  }
  EXPECT_TRUE(examples_[10]->predicted().ent_iobs().empty()) << "the examples stay as they are";
}

TEST_F(EvaluationTest, GroupsThatFindNoMemoryAreHalved) {
  WorkerPool pool(1);  // a second thread may come late, and then makes its own memory first
  examples_.resize(500);
  const std::string whole = text(nlp_->evaluate(*stream_maker()(), pool));
  std::atomic<int> failed = 0;
  {
    const FailingAllocations large(
        [&](std::size_t bytes) { return bytes > 70000 && ++failed > 0; });
    EXPECT_EQ(text(nlp_->evaluate(*stream_maker()(), pool)), whole);
  }
  EXPECT_GT(failed, 0);
  const FailingAllocations nearly_all([](std::size_t bytes) { return bytes > 2000; });
  try {
    nlp_->evaluate(*stream_maker()(), pool);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("not enough memory to annotate a document of"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(EvaluationTest, WithoutExamplesScoresAreNull) {
  WorkerPool pool(1);
  Evaluation evaluation(*nlp_, pool);
  const Scores scores = evaluation.finish();
  EXPECT_TRUE(scores.find("ents_f")->is_null());
  EXPECT_TRUE(scores.find("token_acc")->is_null());
}

TEST_F(EvaluationTest, ACorpusThatIsTooLargeIsReadEachTime) {
  int opened = 0;
  const Reader reader{[&](const Language&) {
    ++opened;
    return stream_maker()();
  }};
  std::ostringstream err;
  MisalignedReport report("corpora.dev", AlignmentPolicy::drop, err);
  EvaluationCorpus held(reader, *nlp_, std::size_t{1} << 30, report);
  EXPECT_TRUE(held.is_held());
  EXPECT_GT(held.held_bytes(), examples_.size() * 100);
  EvaluationCorpus streamed(reader, *nlp_, held.held_bytes() / 2, report);
  EXPECT_FALSE(streamed.is_held());
  EXPECT_EQ(streamed.held_bytes(), 0u);
  WorkerPool pool(1);
  EXPECT_EQ(opened, 2);
  const std::string first = text(nlp_->evaluate(*held.open(), pool));
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(text(nlp_->evaluate(*held.open(), pool)), first) << "nothing was annotated";
  EXPECT_EQ(text(nlp_->evaluate(*streamed.open(), pool)), first);
  EXPECT_EQ(opened, 3);
}

TEST_F(EvaluationTest, LabelsThatNobodyKnowsAreCounted) {
  Doc doc = Doc::from_words(nlp_->vocab(), {"a", "b"});
  doc.set_ents({{0, 1, nlp_->vocab()->strings().add("NEW")}});
  examples_.push_back(std::make_shared<Example>(Example::from_reference(std::move(doc))));
  const Reader reader{[&](const Language&) { return stream_maker()(); }};
  std::ostringstream err;
  MisalignedReport report("corpora.dev", AlignmentPolicy::drop, err);
  const EvaluationCorpus corpus(reader, *nlp_, 1, report);
  const auto unseen = corpus.unseen_labels().found();
  ASSERT_EQ(unseen.size(), 1u);
  EXPECT_EQ(unseen[0].label, "NEW");
  EXPECT_EQ(unseen[0].count, 1);
  examples_.clear();
  EXPECT_THROW(EvaluationCorpus(reader, *nlp_, 1, report), Error);
}

}  // namespace
}  // namespace weft
