#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/language.h"
#include "framework/training/augmenter.h"
#include "framework/training/changed_words.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/building.h"

namespace weft {
namespace {

std::vector<Insertion> one(const char* word, int position) {
  return {{word, position}};
}

class AugmentersTest : public ::testing::Test {
 protected:
  AugmentersTest() {
    nlp_.set_tokenizer(
        testing::build<TokenizerFactory>("@tokenizers = \"spacy.Tokenizer.v1\"").make("en"));
  }

  // `count` times the same sentence.
  ExampleStreamPtr sentences(int count) {
    return stream_of([this, left = count]() mutable -> ExamplePtr {
      if (left-- == 0) return nullptr;
      const auto vocab = nlp_.vocab();
      Doc doc = Doc::from_words(vocab, {"Ada", "said", "``", "Yes", "''", "..."},
                                {true, true, false, false, true, false});
      doc.set_ents({{0, 1, vocab->strings().add("PER")}});
      std::vector<StringId> tags;
      for (const char* tag : {"NNP", "VBD", "``", "UH", "''", "NFP"}) {
        tags.push_back(vocab->strings().add(tag));
      }
      doc.set_column(Attr::tag, tags);
      Doc predicted = nlp_.make_doc(doc.text());
      return std::make_shared<Example>(std::move(predicted), std::move(doc));
    });
  }
  std::vector<ExamplePtr> augmented_by(const std::string& block, int count = 200) {
    const auto stream = augmented(sentences(count), nlp_, testing::build<Augmenter>(block));
    return read_all(*stream);
  }
  static std::string text_of(const ExamplePtr& example) {
    return std::string(example->reference().text());
  }

  static NlpSettings english() {
    NlpSettings settings;
    settings.lang = "en";
    return settings;
  }

  Language nlp_{Config(), english()};
};

TEST_F(AugmentersTest, LowerCaseTakesAShare) {
  const auto examples = augmented_by("@augmenters = \"spacy.lower_case.v1\"\nlevel = 0.3");
  ASSERT_EQ(examples.size(), 200U);
  int lowered = 0;
  for (const ExamplePtr& example : examples) {
    const bool lower = text_of(example).starts_with("ada");
    lowered += lower ? 1 : 0;
    EXPECT_EQ(example->predicted().word(0), lower ? "ada" : "Ada");
    ASSERT_EQ(example->reference().ents().size(), 1U);
    EXPECT_EQ(example->reference().ents()[0].end, 1);
  }
  EXPECT_GT(lowered, 35);
  EXPECT_LT(lowered, 85);
}

TEST_F(AugmentersTest, EveryReadingGivesTheSame) {
  const std::string block = "@augmenters = \"spacy.lower_case.v1\"\nlevel = 0.5";
  const auto first = augmented_by(block), second = augmented_by(block);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(text_of(first[i]), text_of(second[i]));
}

TEST_F(AugmentersTest, LevelsAreAllOrNothing) {
  for (const auto& example :
       augmented_by("@augmenters = \"spacy.lower_case.v1\"\nlevel = 0.0", 20)) {
    EXPECT_EQ(text_of(example), "Ada said ``Yes'' ...");
  }
  for (const auto& example :
       augmented_by("@augmenters = \"spacy.lower_case.v1\"\nlevel = 1.0", 20)) {
    EXPECT_EQ(text_of(example), "ada said ``yes'' ...");
  }
}

constexpr const char* kVariants =
    R"({"single": [{"tags": ["NFP"], "variants": ["…", "..."]}],
        "paired": [{"tags": ["``", "''"], "variants": [["'", "'"], ["``", "''"], ["“", "”"]]}]})";

std::string variants() {
  std::string text = kVariants;
  std::erase(text, '\n');
  return text;
}

TEST_F(AugmentersTest, OtherSpellingsKeepPairsTogether) {
  const auto examples = augmented_by(
      "@augmenters = \"spacy.orth_variants.v1\"\nlevel = 1.0\nlower = 0.0\n"
      "orth_variants = " +
      variants());
  std::map<std::string, int> seen;
  for (const ExamplePtr& example : examples) ++seen[text_of(example)];
  EXPECT_EQ(seen.size(), 6U) << "three pairs, two kinds of dots";
  EXPECT_TRUE(seen.contains("Ada said “Yes” …"));
  EXPECT_FALSE(seen.contains("Ada said “Yes'' …"));
  EXPECT_EQ(examples[0]->reference().ents().size(), 1U);
}

TEST_F(AugmentersTest, SpellingsFollowTheTags) {
  const auto examples = augmented_by(
      "@augmenters = \"spacy.orth_variants.v1\"\nlevel = 1.0\nlower = 1.0\n"
      "orth_variants = {\"single\": [{\"tags\": [\"XX\"], \"variants\": [\"said\", \"told\"]}]}",
      20);
  for (const ExamplePtr& example : examples) EXPECT_EQ(text_of(example), "ada said ``yes'' ...");
}

// "said" becomes "told" by the first entry, and that "spoke" by the second, but not the other way.
TEST_F(AugmentersTest, EachEntryLooksAtTheWordThatThoseBeforeItLeft) {
  const auto examples = augmented_by(
      "@augmenters = \"spacy.orth_variants.v1\"\nlevel = 1.0\nlower = 0.0\n"
      "orth_variants = {\"single\": [{\"tags\": [\"VBD\"], \"variants\": [\"said\", \"told\"]}, "
      "{\"tags\": [\"XX\", \"VBD\"], \"variants\": [\"told\", \"spoke\"]}]}");
  std::set<std::string> seen;
  for (const ExamplePtr& example : examples) seen.emplace(example->reference().word(1));
  EXPECT_THAT(seen, ::testing::ElementsAre("said", "spoke", "told"));
}

TEST_F(AugmentersTest, CombinedAddsWhiteSpace) {
  const auto examples = augmented_by(
      "@augmenters = \"spacy.combined_augmenter.v1\"\nlower_level = 0.0\n"
      "orth_level = 0.0\north_variants = null\nwhitespace_level = 1.0\n"
      "whitespace_per_token = 0.5\nwhitespace_variants = [\" \", \"\\n\"]",
      50);
  for (const ExamplePtr& example : examples) {
    EXPECT_EQ(example->reference().size(), 9) << "half of six tokens more";
    EXPECT_EQ(example->reference().ents().size(), 1U);
  }
}

TEST_F(AugmentersTest, AnEmptyTextIsFoundWithTheConfig) {
  const std::string combined =
      "@augmenters = \"spacy.combined_augmenter.v1\"\nlower_level = 0.0\north_level = 1.0\n"
      "whitespace_level = 1.0\nwhitespace_per_token = 0.5\n";
  for (const char* variants : {"orth_variants = null\nwhitespace_variants = [\" \", \"\"]",
                               "whitespace_variants = null\north_variants = "
                               "{\"single\": [{\"tags\": [\"\"], \"variants\": [\"a\", \"\"]}]}"}) {
    Problems problems;
    Catalogue catalogue;
    add_builtin(catalogue);
    const Config config = read_cfg("[block]\n" + combined + variants, "test", problems);
    resolve_at(config, "block", catalogue, {}, problems);
    ASSERT_EQ(problems.size(), 1U) << variants;
    EXPECT_THAT(problems[0].str(), ::testing::HasSubstr("variants holds an empty text"));
  }
}

TEST_F(AugmentersTest, WhiteSpaceWithinAnEntityBelongsToIt) {
  const auto vocab = nlp_.vocab();
  Doc doc = Doc::from_words(vocab, {"New", "York", "fell"});
  doc.set_ents({{0, 2, vocab->strings().add("GPE")}});
  const Doc changed = with_inserted(doc, one("\n", 1));
  ASSERT_EQ(changed.ents().size(), 1U);
  EXPECT_EQ(changed.ents()[0].end, 3);
  EXPECT_FALSE(changed.has_sents()) << "as little is known of sentences as before";
}

// As spaCy 3.8 hangs it, on "She left".
TEST_F(AugmentersTest, WhiteSpaceHangsOnTheTokenBefore) {
  StringStore& strings = nlp_.vocab()->strings();
  Doc doc = Doc::from_words(nlp_.vocab(), {"She", "left"});
  doc.set_heads({1, 0});
  doc.set_column(Attr::dep, {strings.add("nsubj"), strings.add("ROOT")});
  const Doc within = with_inserted(doc, one("\n", 1)), before = with_inserted(doc, one("\n", 0));
  EXPECT_THAT(within.heads(), ::testing::ElementsAre(2, -1, 0));
  EXPECT_EQ(within.string(within.value(Attr::dep, 1)), "dep");
  EXPECT_THAT(within.sent_starts(), ::testing::ElementsAre(1, -1, -1));
  EXPECT_THAT(before.heads(), ::testing::ElementsAre(1, 1, 0));
  Doc root = Doc::from_words(nlp_.vocab(), {"Go"});
  root.set_column(Attr::dep, {strings.add("ROOT")});
  EXPECT_THAT(with_inserted(root, one("\n", 0)).heads(), ::testing::ElementsAre(1, 0));
  root.set_column(Attr::dep, {0});
  const Doc unparsed = with_inserted(root, one("\n", 0));
  EXPECT_TRUE(unparsed.heads().empty() && unparsed.column(Attr::dep).empty());
}

TEST_F(AugmentersTest, CombinedWithoutAnythingChangesNothing) {
  const auto examples = augmented_by(
      "@augmenters = \"spacy.combined_augmenter.v1\"\nlower_level = 0.0\n"
      "orth_level = 1.0\north_variants = null\nwhitespace_level = 1.0\n"
      "whitespace_per_token = 0.5\nwhitespace_variants = null",
      5);
  for (const auto& example : examples) EXPECT_EQ(text_of(example), "Ada said ``Yes'' ...");
}

TEST(OrthVariants, WrongOnesAreNamed) {
  Catalogue catalogue;
  add_builtin(catalogue);
  const auto failure = [&](const std::string& value) -> std::string {
    Problems problems;
    const Config config = read_cfg(
        "[block]\n@augmenters = \"spacy.orth_variants.v1\"\nlevel = 1.0\nlower = 0.0\n"
        "orth_variants = " +
            value,
        "test", problems);
    try {
      resolve_at(config, "block", catalogue, {}, problems);
    } catch (const Error& error) {
      return error.what();
    }
    return problems.empty() ? "it is made" : problems.front().str();
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(failure("{}"), "it is made");
  EXPECT_THAT(failure(R"({"single": 3})"), HasSubstr("'single' is no list"));
  EXPECT_THAT(failure(R"({"single": [{"tags": []}]})"), HasSubstr("no list 'variants'"));
  EXPECT_THAT(failure(R"({"single": [{"tags": [], "variants": []}]})"), HasSubstr("without"));
  EXPECT_THAT(failure(R"({"paired": [{"tags": [], "variants": [["a"]]}]})"), HasSubstr("two"));
}

// Where a document has annotation that cannot grow with it, nothing is inserted.
TEST_F(AugmentersTest, DocumentsWithLinkedEntitiesGetNoWhiteSpace) {
  const auto vocab = nlp_.vocab();
  const auto stream_with = [&](bool linked) {
    return stream_of([&, linked, left = 1]() mutable -> ExamplePtr {
      if (left-- == 0) return nullptr;
      Doc doc = Doc::from_words(vocab, {"Ada", "said"}, {true, false});
      Span ent{0, 1, vocab->strings().add("PER")};
      if (linked) ent.kb_id = vocab->strings().add("Q7259");
      doc.set_ents(std::vector<Span>{ent});
      Doc predicted = nlp_.make_doc(doc.text());
      return std::make_shared<Example>(std::move(predicted), std::move(doc));
    });
  };
  const auto augmenter = testing::build<Augmenter>(
      "@augmenters = \"spacy.combined_augmenter.v1\"\nlower_level = 0.0\north_level = 0.0\n"
      "orth_variants = null\nwhitespace_level = 1.0\nwhitespace_per_token = 1.0\n"
      "whitespace_variants = [\"\\n\"]");
  for (const bool linked : {false, true}) {
    const auto all = read_all(*augmented(stream_with(linked), nlp_, augmenter));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0]->reference().size(), linked ? 2 : 4);
  }
}

}  // namespace
}  // namespace weft
