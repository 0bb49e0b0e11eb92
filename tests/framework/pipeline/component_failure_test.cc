// An exception of a component that is no Error of ours comes out with its name and the document.
#include "framework/pipeline/component_failure.h"

#include <new>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/shard_runner.h"
#include "registry/base/error.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// Fails at documents that hold the word.
class Fragile final : public testing::OneWeight {
 public:
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    for (const Doc* doc : docs) {
      if (doc->text().find("glass") != std::string_view::npos) throw std::runtime_error("cracked");
    }
  }
};

class ComponentFailureTest : public ::testing::Test {
 protected:
  ComponentFailureTest() { nlp_.add({"fragile", fragile_}); }
  Doc doc(std::vector<std::string> words) {
    return Doc::from_words(nlp_.vocab(), std::move(words), {});
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<Fragile> fragile_ = std::make_shared<Fragile>();
};

TEST_F(ComponentFailureTest, APredictionNamesTheDocumentAmongManyOthers) {
  std::vector<Doc> docs;
  for (int i = 0; i < 9; ++i) docs.push_back(doc({"of", i == 6 ? "glass" : "stone", "6"}));
  std::vector<Doc*> all;
  for (Doc& one : docs) all.push_back(&one);
  try {
    nlp_.annotate(all);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_THAT(error.message(), HasSubstr("the component 'fragile' failed: cracked"));
    EXPECT_THAT(error.message(), HasSubstr("3 tokens begins with \"of glass 6\""));
  }
}

TEST_F(ComponentFailureTest, AnUpdateNamesThePlaceInTheCorpus) {
  fragile_->loss_of = [](ShardUpdate&) -> double { throw std::out_of_range("too far"); };
  std::vector<Example> examples = testing::documents_of(nlp_, {5});
  examples[0].set_place({std::make_shared<const std::string>("train.jsonl"), 7, 6});
  WorkerPool pool(1);
  ShardRunner runner(nlp_, pool, {});
  try {
    runner.accumulate(testing::pointers_to(examples), 0.0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("the component 'fragile' failed: too far"));
    EXPECT_THAT(error.message(), HasSubstr("train.jsonl:7, document 6"));
  }
}

TEST(RunComponent, LetsOurErrorsAndWantOfMemoryPass) {
  EXPECT_THROW(run_component("a", [] { throw Error(ErrorKind::data, "x"); }), Error);
  EXPECT_THROW(run_component("a", [] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(run_component("a", [] { throw std::runtime_error("x"); }), ComponentFailure);
  EXPECT_THROW(run_component("a", [] { throw 3; }), ComponentFailure);
}

}  // namespace
}  // namespace weft
