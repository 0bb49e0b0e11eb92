// The lemmatizer by edit trees as a pipeline has it.
#include <gmock/gmock.h>

#include "framework/tagging/token_annotation.h"
#include "tests/components/pipes/tagging_pipeline.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LemmatizerPipe : public testing::TaggingPipeline {
 protected:
  Example example(const Language& nlp, const Texts& words, const Texts& lemmas) {
    return Example::from_reference(doc_of(nlp, words, Attr::lemma, lemmas));
  }
  std::vector<Example> data(const Language& nlp) {
    return {example(nlp, {"dogs", "bark", "!"}, {"dog", "bark", "!"}),
            example(nlp, {"cats", "went", "home"}, {"cat", "go", "home"}),
            example(nlp, {"he", "went"}, {"he", "go"})};
  }
  static constexpr const char* kTwice = "min_tree_freq = 2\n";
};

TEST_F(LemmatizerPipe, ClassesAreTreesThatComeOftenEnough) {
  const auto nlp = pipeline("trainable_lemmatizer", kTwice);
  auto examples = data(*nlp);
  nlp->initialize(examples);
  EXPECT_EQ(nlp->find("it")->labels().size(), 3U) << "-s, nothing, went > go";
  const auto rare = pipeline("trainable_lemmatizer", "min_tree_freq = 9\n");
  auto same = data(*rare);
  EXPECT_THAT(
      error_of([&] { rare->initialize(same); }),
      HasSubstr("component 'it': each edit tree of the training data comes less than 9 times"));
  const auto without = pipeline("trainable_lemmatizer", kTwice);
  std::vector<Example> bare = {example(*without, {"he", "went"}, {"", ""})};
  EXPECT_THAT(error_of([&] { without->initialize(bare); }),
              HasSubstr("component 'it': the training data has no annotation"));
}

TEST_F(LemmatizerPipe, LemmasAreCountedWithoutLabels) {
  const auto nlp = pipeline("trainable_lemmatizer", kTwice);
  const Doc doc = doc_of(*nlp, {"dogs", "bark", "!"}, Attr::lemma, {"dog", "", "!"});
  EXPECT_EQ(lemma_annotation().unlabelled_in(doc), 2);
  EXPECT_TRUE(lemma_annotation().labels_in(doc).empty());
}

TEST_F(LemmatizerPipe, LearnsAndIsTheSameAfterSaving) {
  const auto nlp = pipeline("trainable_lemmatizer", kTwice);
  auto examples = data(*nlp);
  learn(*nlp, examples);
  EXPECT_THAT(predicted(*nlp, {"cats", "went", "home"}, Attr::lemma),
              ElementsAre("cat", "go", "home"));
  const auto loaded = saved_and_loaded(*nlp);
  EXPECT_THAT(predicted(*loaded, {"dogs", "bark", "!"}, Attr::lemma),
              ElementsAre("dog", "bark", "!"));
  // Trained on, it still knows which trees are its classes.
  auto again = data(*loaded);
  loaded->update(again);
  EXPECT_THAT(predicted(*loaded, {"he", "went"}, Attr::lemma), ElementsAre("he", "go"));
}

TEST_F(LemmatizerPipe, WhereNoTreeFitsTheLemmaIsTheAttributeOfBackoff) {
  for (const auto& [backoff, wanted] :
       {std::pair("\"orth\"", "Went"), {"\"lower\"", "went"}, {"null", ""}}) {
    const auto nlp = pipeline("trainable_lemmatizer",
                              std::string("min_tree_freq = 1\nbackoff = ") + backoff + "\n");
    std::vector<Example> examples = {example(*nlp, {"went", "went"}, {"go", "go"})};
    learn(*nlp, examples, 2);
    EXPECT_EQ(predicted(*nlp, {"Went"}, Attr::lemma).front(), wanted);
    EXPECT_EQ(predicted(*nlp, {"went"}, Attr::lemma).front(), "go");
  }
  EXPECT_THAT(error_of([&] { pipeline("trainable_lemmatizer", "backoff = \"like_url\"\n"); }),
              HasSubstr("backoff is \"like_url\""));
}

TEST_F(LemmatizerPipe, TriesFurtherTreesIfTold) {
  const auto nlp = pipeline("trainable_lemmatizer", "min_tree_freq = 2\ntop_k = 3\n");
  auto examples = data(*nlp);
  learn(*nlp, examples);
  EXPECT_EQ(predicted(*nlp, {"Went"}, Attr::lemma).front(), "Went") << "the tree of nothing fits";
}

TEST_F(LemmatizerPipe, StringsComeWithASourcedComponent) {
  const auto nlp = pipeline("trainable_lemmatizer", kTwice);
  auto examples = data(*nlp);
  learn(*nlp, examples);
  nlp->to_disk(folder_ / "saved");
  Problems problems;
  const std::string text =
      "[nlp]\nlang = \"en\"\npipeline = [\"it\"]\n\n[components]\n\n"
      "[components.it]\nsource = \"" +
      (folder_ / "saved").string() + "\"\n";
  const Config read = read_cfg(text, "source.cfg", problems, {.interpolate = false});
  const Config filled = fill_pipeline_config(read, catalogue_, problems);
  ASSERT_FALSE(has_errors(problems)) << problems.front().str();
  const auto sourced = build_pipeline(filled, catalogue_);
  EXPECT_THAT(predicted(*sourced, {"he", "went"}, Attr::lemma), ElementsAre("he", "go"));
  EXPECT_THAT(predicted(*saved_and_loaded(*sourced), {"he", "went"}, Attr::lemma),
              ElementsAre("he", "go"));
}

}  // namespace
}  // namespace weft
