// Corpora of a config as readers, and the documents of those that are checked.
#include "framework/training/resolve_corpus.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/training/example_streams.h"
#include "registry/functions/argument.h"
#include "registry/functions/function.h"
#include "registry/functions/product.h"
#include "registry/functions/signature.h"
#include "registry/functions/type.h"
#include "registry/reading/cfg_reader.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

Function reader_named(const std::string& name, const Reader& reader) {
  const auto make = [reader](Arguments&) { return Argument(Product::of(reader)); };
  return Function("readers", name, "", Signature(), Type::product(ProductType::of<Reader>()), make);
}

class ResolveCorpusTest : public ::testing::Test {
 protected:
  void read_by(const std::string& reader) {
    Problems problems;
    const Config values =
        read_cfg("[corpora]\n[corpora.dev]\n@readers = \"" + reader + "\"\n", "test.cfg", problems);
    const auto take = [this](const PlacedDoc& placed) { taken_.push_back(placed); };
    const auto tell = [this](const DataProblem& problem) { told_.push_back(problem); };
    read_annotated(values, nlp_, catalogue_, {.corpus = "corpora.dev", .take = take, .tell = tell});
  }
  Doc doc(std::initializer_list<std::string_view> words) const {
    return Doc::from_words(nlp_.vocab(), words);
  }

  Language nlp_{Config(), testing::plain_settings()};
  Catalogue catalogue_;
  std::vector<PlacedDoc> taken_;
  std::vector<DataProblem> told_;
};

TEST_F(ResolveCorpusTest, TheReaderItselfGivesItsAnnotatedDocuments) {
  std::vector<std::string> read;
  catalogue_.add(
      reader_named("own.v1", {.open = {}, .read_annotated = [&](const Language&, const auto& to) {
                                read.push_back(to.corpus);
                              }}));
  read_by("own.v1");
  EXPECT_THAT(read, ElementsAre("corpora.dev"));
}

// As one of Python, which has no second way through its files.
TEST_F(ResolveCorpusTest, OfAnotherReaderTheExamplesAreLookedAt) {
  const auto open = [this](const Language&) {
    return stream_of([this, number = 0]() mutable -> ExamplePtr {
      if (++number > 2) return nullptr;
      auto example =
          std::make_shared<Example>(number == 1 ? Example::from_reference(doc({"New", "York"}))
                                                : Example(doc({"New", "York"}), doc({"New York"})));
      if (number == 2) {
        example->set_place({std::make_shared<const std::string>("a.txt"), 7, 3});
      }
      return example;
    });
  };
  catalogue_.add(reader_named("examples.v1", {.open = open}));
  read_by("examples.v1");
  ASSERT_EQ(taken_.size(), 2U);
  EXPECT_EQ(taken_[0].doc.size(), 2);
  EXPECT_EQ(taken_[0].file, "");
  EXPECT_EQ(taken_[0].document, 1);
  EXPECT_FALSE(taken_[0].own_tokens);
  EXPECT_EQ(taken_[1].doc.size(), 1);
  EXPECT_EQ(taken_[1].file, "a.txt");
  EXPECT_EQ(taken_[1].line, 7);
  EXPECT_EQ(taken_[1].document, 3);
  EXPECT_TRUE(taken_[1].own_tokens);
  EXPECT_TRUE(told_.empty());
}

TEST_F(ResolveCorpusTest, OfAReaderThatMayHaveNoEndTheFirstExamplesAreLookedAt) {
  const auto one = std::make_shared<Example>(Example::from_reference(doc({"a"})));
  const auto open = [one](const Language&) { return stream_of([one] { return one; }); };
  catalogue_.add(reader_named("endless.v1", {.open = open, .may_be_endless = true}));
  read_by("endless.v1");
  EXPECT_EQ(taken_.size(), 100'000U);
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0].fault, DataFault::partly_read);
  EXPECT_EQ(told_[0].corpus, "corpora.dev");
}

}  // namespace
}  // namespace weft
