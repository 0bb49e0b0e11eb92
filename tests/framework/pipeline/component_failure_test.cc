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

// Counts in a category how often it has annotated a document.
class Counting final : public testing::OneWeight {
 public:
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    for (Doc* doc : docs) {
      const auto so_far = static_cast<std::int64_t>(doc->cats().size());
      doc->set_cat("run " + std::to_string(so_far), so_far);
    }
  }
};

// Has memory for two documents at a time.
class Hungry final : public testing::OneWeight {
 public:
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    if (docs.size() > 2) throw std::bad_alloc();
  }
};

// Fails where it gets two documents at once.
class Crowded final : public testing::OneWeight {
 public:
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    if (docs.size() > 1) throw std::runtime_error("no room");
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

TEST(ComponentsThatFailOfDocumentsTogether, NameNoneOfThem) {
  Language nlp{Config(), testing::plain_settings()};
  nlp.add({"crowded", std::make_shared<Crowded>()});
  std::vector<Doc> docs(2, Doc::from_words(nlp.vocab(), {"stone"}, {}));
  try {
    nlp.annotate(std::vector<Doc*>{&docs[0], &docs[1]});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "the component 'crowded' failed: no room; it fails of none of these documents alone");
  }
}

// Each document is a group of its own. Without threads beside this one they come in their order.
TEST(DocumentsBehindOneThatFails, AreNotAnnotated) {
  const auto fragile = std::make_shared<Fragile>();
  const auto seen = std::make_shared<testing::OneWeight>();
  Language nlp{Config(), testing::plain_settings()};
  nlp.add({"seen", seen});
  nlp.add({"fragile", fragile});
  std::vector<Doc> docs;
  for (int i = 0; i < 5; ++i) {
    std::vector<std::string> words(600, "stone");
    if (i == 1 || i == 3) words[0] = "glass";
    docs.push_back(Doc::from_words(nlp.vocab(), words, {}));
  }
  std::vector<Doc*> all;
  for (Doc& one : docs) all.push_back(&one);
  WorkerPool pool(1);
  EXPECT_THROW(nlp.annotate(all, pool), Error);
  EXPECT_EQ(seen->predicted, 2);
}

// A group is annotated again document by document, or in halves, as it was before: components may
// have joined tokens already, and would meet their own annotation.
TEST(DocumentsThatAreAnnotatedAgain, AreAsTheyCame) {
  for (const bool is_memory : {true, false}) {
    Language nlp{Config(), testing::plain_settings()};
    nlp.add({"counting", std::make_shared<Counting>()});
    if (is_memory) nlp.add({"hungry", std::make_shared<Hungry>()});
    if (!is_memory) nlp.add({"fragile", std::make_shared<Fragile>()});
    std::vector<Doc> docs;
    for (int i = 0; i < 7; ++i) {
      docs.push_back(Doc::from_words(nlp.vocab(), {i == 6 ? "glass" : "stone"}, {}));
    }
    std::vector<Doc*> all;
    for (Doc& one : docs) all.push_back(&one);
    if (is_memory) {
      EXPECT_NO_THROW(nlp.annotate(all));
    } else {
      EXPECT_THROW(nlp.annotate(all), Error);
    }
    for (const Doc& doc : docs) EXPECT_LE(doc.cats().size(), 1U) << is_memory;
    EXPECT_EQ(docs[0].cats().size(), 1U);
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
