// The comparison with spaCy's converter stands in tests/spacy/same_conllu.py.
#include "framework/text/conllu.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "framework/text/conllu_writer.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kCannot =
    "# sent_id = 1\n"
    "1\tI\tI\tPRON\tPRP\tPerson=1|Case=Nom\t4\tnsubj\t_\t_\n"
    "2-3\tcannot\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "2\tcan\tcan\tAUX\tMD\tVerbForm=Fin\t4\taux\t_\t_\n"
    "3\tnot\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n"
    "3.1\tgone\tgone\tVERB\t_\t_\t_\t_\t_\t_\n"
    "4\tgo\tgo\tVERB\t_\tVerbForm=Inf\t0\troot\t_\t_\n";

class Conllu : public ::testing::Test {
 protected:
  std::vector<Doc> docs(const std::string& text, ConlluOptions options = {}) {
    ConlluReader reader(file_with("a.conllu", text), vocab_, std::move(options));
    std::vector<Doc> docs;
    while (auto doc = reader.next()) docs.push_back(std::move(*doc));
    return docs;
  }

  std::string error_of(const std::string& text) {
    try {
      docs(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return std::to_string(error.place().line) + ": " + error.message();
    }
    return "no error";
  }

  std::vector<std::string> column(const Doc& doc, Attr attr) {
    std::vector<std::string> texts;
    for (int i = 0; i < doc.size(); ++i) texts.emplace_back(doc.string(doc.value(attr, i)));
    return texts;
  }

  std::string written(const std::vector<Doc>& docs, bool newdoc = false) {
    std::ostringstream out;
    ConlluWriter writer(out, newdoc);
    for (const Doc& doc : docs) writer.add(doc);
    return out.str();
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(Conllu, WordsAreTokensAndTheirTokenSaysTheSpaces) {
  const auto all = docs(kCannot);
  ASSERT_EQ(all.size(), 1u);
  const Doc& doc = all[0];
  EXPECT_EQ(doc.text(), "I cannotgo ");
  EXPECT_FALSE(doc.has_unknown_spaces());
  EXPECT_THAT(column(doc, Attr::tag), ElementsAre("PRP", "MD", "RB", "VERB"));
  EXPECT_THAT(column(doc, Attr::pos), ElementsAre("PRON", "AUX", "PART", "VERB"));
  EXPECT_THAT(column(doc, Attr::morph),
              ElementsAre("Case=Nom|Person=1", "VerbForm=Fin", "_", "VerbForm=Inf"));
  EXPECT_THAT(column(doc, Attr::dep), ElementsAre("nsubj", "aux", "advmod", "ROOT"));
  EXPECT_THAT(doc.heads(), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, -1, -1));
  EXPECT_FALSE(doc.has_ents());
}

TEST_F(Conllu, TheWordsOfATokenCanBeOne) {
  const auto all = docs(kCannot, {.merge_subtokens = true, .append_morphology = true});
  const Doc& doc = all.at(0);
  EXPECT_EQ(doc.text(), "I cannotgo ");
  EXPECT_THAT(column(doc, Attr::tag),
              ElementsAre("PRP__Person=1|Case=Nom", "MD_RB__VerbForm=Fin", "VERB__VerbForm=Inf"));
  EXPECT_THAT(column(doc, Attr::lemma), ElementsAre("I", "can not", "go"));
  EXPECT_THAT(column(doc, Attr::pos), ElementsAre("PRON", "AUX", "VERB"));
  EXPECT_THAT(doc.heads(), ElementsAre(2, 1, 0));
}

TEST_F(Conllu, EntitiesStandInTheLastColumn) {
  const std::string text =
      "1\tAnna\t_\tX\t_\t_\t0\troot\t_\tNE=B-PER\n2\tLee\t_\tX\t_\t_\t1\tflat\t_\tx=y|L-PER\n"
      "3\tin\t_\tX\t_\t_\t1\tcase\t_\t_\n4\tRome\t_\tX\t_\t_\t1\tobl\t_\tname=U-LOC\n";
  EXPECT_THAT(biluo_strings(docs(text)[0]), ElementsAre("B-PER", "L-PER", "O", "U-LOC"));
  EXPECT_THAT(biluo_strings(docs(text, {.ner_map = {{"LOC", ""}, {"PER", "P"}}})[0]),
              ElementsAre("B-P", "L-P", "O", "O"));
  // One tag anywhere means that all words were annotated.
  EXPECT_TRUE(docs(std::string(kCannot) + "\n" + text)[0].has_ents());
}

TEST_F(Conllu, DocumentsHaveSeveralSentences) {
  const std::string one = "1\ta\ta\tX\tX\t_\t0\troot\t_\tSpaceAfter=No\n\n";
  const std::string text = "# newdoc id = 1\n" + one + one + one + "# newdoc\n" + one;
  EXPECT_EQ(docs(text).size(), 4u);
  EXPECT_EQ(docs(text, {.sents_per_doc = 3}).size(), 2u);
  const auto all = docs(text, {.sents_per_doc = 0});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text(), "a a a") << "a space between sentences";
  EXPECT_THAT(all[0].sent_starts(), ElementsAre(1, 1, 1));
}

TEST_F(Conllu, AnUnderscoreIsAnAnnotationToSpacyAndNoneElse) {
  const std::string text = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n";
  const auto plain = docs(text);
  EXPECT_THAT(plain[0].sent_starts(), ElementsAre(1, -1));
  EXPECT_TRUE(plain[0].column(Attr::lemma).empty());
  EXPECT_TRUE(plain[0].column(Attr::tag).empty());
  const auto spacys = docs(text, {.as_spacy = true});
  EXPECT_THAT(spacys[0].sent_starts(), ElementsAre(1, 1));
  EXPECT_THAT(column(spacys[0], Attr::lemma), ElementsAre("_", "_"));
}

TEST_F(Conllu, FaultsHaveALineAndSayWhatIsMeant) {
  const std::string good = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n";
  EXPECT_EQ(error_of(good + "2\tb\n"), "2: a line with 2 columns; CoNLL-U has 10, parted by tabs");
  EXPECT_THAT(error_of("1 a a X X _ 0 root _ _\n"), HasSubstr("parted by tabs, not by spaces"));
  EXPECT_EQ(error_of(good + "\n# x\n2\ta\ta\tX\tX\t_\t0\troot\t_\t_\n"),
            "4: the id is 2 where 1 was expected; words are numbered from 1");
  EXPECT_THAT(error_of("a\ta\ta\tX\tX\t_\t0\troot\t_\t_\n"), HasSubstr("1: the id \"a\" is none"));
  EXPECT_THAT(error_of("1\t\ta\tX\tX\t_\t0\troot\t_\t_\n"), HasSubstr("1: a word without a form"));
  EXPECT_EQ(
      error_of("1\ta\ta\tNOUM\tX\t_\t0\troot\t_\t_\n"),
      "1: \"NOUM\" is no part of speech of Universal Dependencies; did you mean NOUN or NUM?");
  EXPECT_THAT(error_of("1\ta\ta\tX\tX\tPlur\t0\troot\t_\t_\n"),
              HasSubstr("1: the features \"Plur\""));
  EXPECT_EQ(error_of("1\ta\ta\tX\tX\t_\t2\troot\t_\t_\n"),
            "1: the head 2 lies outside of the sentence, which has 1 words");
  EXPECT_THAT(error_of("1\ta\ta\tX\tX\t_\t-1\troot\t_\t_\n"), HasSubstr("the head \"-1\" is none"));
  EXPECT_THAT(error_of("1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" + good),
              HasSubstr("1: the multi-word token ends with word 2, but the sentence has 1"));
  EXPECT_THAT(error_of("2-3\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" + good),
              HasSubstr("does not stand before its words"));
  EXPECT_THAT(error_of(good + "# late\n"), HasSubstr("2: a comment inside of a sentence"));
  EXPECT_THAT(error_of(good + "\n1\t\xff\ta\tX\tX\t_\t0\troot\t_\t_\n"),
              HasSubstr("3: text that is not"));
}

TEST_F(Conllu, ABadSentenceCanBeLeftOut) {
  const std::string good = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n";
  ConlluReader reader(file_with("b.conllu", good + "1\tb\n\n" + good), vocab_,
                      {.sents_per_doc = 9});
  EXPECT_THROW(reader.next(), Error);
  ASSERT_TRUE(reader.skip_row());
  EXPECT_EQ(reader.next()->size(), 2);
  EXPECT_FALSE(reader.next());
}

TEST_F(Conllu, FormsOfFilesAreTaken) {
  const std::string crlf = "\xEF\xBB\xBF# x\r\n1\ta\ta\tX\tX\t_\t0\troot\t_\tSpaceAfter=No\r\n";
  EXPECT_EQ(docs(crlf).at(0).text(), "a") << "no line end at the end";
  EXPECT_TRUE(docs("").empty());
  EXPECT_TRUE(docs("# only a comment\n\n\n").empty());
}

TEST_F(Conllu, WhatIsWrittenIsReadAgain) {
  const std::string text = written(docs(kCannot));
  EXPECT_THAT(text, HasSubstr("# text = I cannotgo\n"));
  EXPECT_THAT(text, HasSubstr("2\tcan\tcan\tAUX\tMD\tVerbForm=Fin\t4\taux\t_\tSpaceAfter=No\n"));
  EXPECT_THAT(text, HasSubstr("4\tgo\tgo\tVERB\t_\tVerbForm=Inf\t0\troot\t_\t_\n"));
  EXPECT_EQ(written(docs(text, {.as_spacy = true})), text);
}

TEST_F(Conllu, ColumnsThatNoWordHasStayUnset) {
  Doc doc = Doc::from_words(vocab_, {"New", "York", "!"});
  doc.set_sent_starts({1, -1, -1});
  doc.set_ents({{0, 2, vocab_->strings().add("creative-work")}});
  const std::string text = written({doc});
  EXPECT_THAT(text, HasSubstr("# weft.unset = lemma upos xpos feats heads spaces\n"));
  EXPECT_THAT(text, HasSubstr("\tweft.NE=B-creative-work\n"));
  for (const bool as_spacy : {false, true}) {
    const auto again = docs(text, {.as_spacy = as_spacy});
    EXPECT_EQ(again.at(0).ents(), doc.ents());
    EXPECT_THAT(again[0].sent_starts(), ElementsAre(1, -1, -1));
    EXPECT_TRUE(again[0].has_unknown_spaces());
    for (const Attr attr : {Attr::lemma, Attr::pos, Attr::tag, Attr::morph, Attr::dep}) {
      EXPECT_TRUE(again[0].column(attr).empty());
    }
  }
  // Annotated, and without any entity.
  doc.set_ents({});
  EXPECT_TRUE(docs(written({doc})).at(0).has_ents());
}

TEST_F(Conllu, WhatTheFormatCannotHoldIsLeftOutOrRefused) {
  Doc doc = Doc::from_words(vocab_, {"a", "\n", "b"}, {false, false, false});
  doc.set_column(Attr::dep, {vocab_->strings().add("ROOT"), vocab_->strings().add("dep"),
                             vocab_->strings().add("obj")});
  doc.set_heads({0, -1, -1});
  doc.set_sent_starts({1, -1, -1});
  const auto again = docs(written({doc}));
  EXPECT_EQ(again.at(0).text(), "a b");
  EXPECT_THAT(again[0].heads(), ElementsAre(0, -1)) << "the head of the white space between";
  EXPECT_THROW(written({Doc::from_words(vocab_, {"a\tb"})}), Error);
  doc.set_sent_starts({1, 1, -1});
  EXPECT_THROW(written({doc}), Error) << "a head in another sentence";
}

// Each word looks for its head in the white space before it: one after the other, that takes
// 3 * 10^11 steps.
TEST_F(Conllu, WhiteSpaceHandsItsHeadOn) {
  constexpr int kSpaces = 1'500'000, kWords = 200'000;
  std::vector<std::string> words(kSpaces, " ");
  words.insert(words.end(), kWords, "w");
  std::vector<std::int32_t> heads(kSpaces, 1);
  heads.push_back(0);
  for (int i = 1; i < kWords; ++i) heads.push_back(-kSpaces - i);
  Doc doc = Doc::from_words(vocab_, words);
  const StringId dep = vocab_->strings().add("dep");
  doc.set_column(Attr::dep, std::vector<StringId>(words.size(), dep));
  doc.set_heads(heads);
  const auto again = docs(written({doc}));
  ASSERT_EQ(again.at(0).size(), kWords);
  EXPECT_EQ(again[0].heads()[1], -1);
  EXPECT_EQ(again[0].heads()[kWords - 1], 1 - kWords);
}

TEST_F(Conllu, WhiteSpaceInACircleHasNoHead) {
  Doc doc = Doc::from_words(vocab_, {" ", " ", "a", "b"});
  const StringId dep = vocab_->strings().add("dep");
  doc.set_column(Attr::dep, {dep, dep, dep, dep});
  doc.set_heads({1, -1, -2, -1});
  EXPECT_THAT(written({doc}),
              AllOf(HasSubstr("1\ta\t_\t_\t_\t_\t0\tdep"), HasSubstr("2\tb\t_\t_\t_\t_\t1\tdep")));
}

TEST_F(Conllu, HeadsThatRunInACircleAreNoRootOfAMergedToken) {
  const std::string text =
      "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n2-3\tbc\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "2\tb\tb\tX\tX\t_\t4\tdep\t_\t_\n3\tc\tc\tX\tX\t_\t2\tdep\t_\t_\n"
      "4\td\td\tX\tX\t_\t2\tdep\t_\t_\n";
  try {
    docs(text, {.merge_subtokens = true});
    FAIL() << "it is merged";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(":2  the heads of this multi-word token's words run in a"));
  }
}

// The token of the range takes the entity of its root; the rest of another one stays apart.
TEST_F(Conllu, AMergedTokenHasTheEntityOfItsRoot) {
  const std::string text =
      "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tX\tX\t_\t0\troot\t_\tname=U-LOC\n"
      "2\tb\tb\tX\tX\t_\t1\tdep\t_\tname=B-PER\n3\tc\tc\tX\tX\t_\t1\tdep\t_\tname=L-PER\n";
  EXPECT_THAT(biluo_strings(docs(text)[0]), ElementsAre("U-LOC", "B-PER", "L-PER"));
  EXPECT_THAT(biluo_strings(docs(text, {.merge_subtokens = true})[0]),
              ElementsAre("U-LOC", "U-PER"));
}

TEST_F(Conllu, AnEntityGoesOnWithItsOwnLabelAlone) {
  const std::string text =
      "1\ta\ta\tX\tX\t_\t0\troot\t_\tname=B-WORK_OF_ART\n"
      "2\tb\tb\tX\tX\t_\t1\tdep\t_\tname=I-WORK_OF_ART\n3\tc\tc\tX\tX\t_\t1\tdep\t_\tname=L-PER\n";
  EXPECT_THAT(biluo_strings(docs(text)[0]), ElementsAre("B-WORK_OF_ART", "L-WORK_OF_ART", "U-PER"));
}

}  // namespace
}  // namespace weft
