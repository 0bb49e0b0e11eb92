// The corpora of configs: which documents of a file become examples, and how.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/io/compressed_output.h"
#include "framework/pipeline/language.h"
#include "framework/text/doc_bin.h"
#include "framework/text/tokenizer.h"
#include "framework/training/reader.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CorporaTest : public ::testing::Test {
 protected:
  StringId id(const char* text) const { return nlp_->vocab()->strings().add(text); }

  // The examples of the block: the predicted side's words, then the reference's.
  std::vector<std::string> read(const std::string& block) {
    const auto reader = testing::build<Reader>(block);
    const ExampleStreamPtr stream = reader.open(*nlp_);
    std::vector<std::string> examples;
    while (const ExamplePtr example = stream->next()) {
      examples.push_back(words(example->predicted()) + " / " + words(example->reference()));
      last_ = example;
    }
    EXPECT_EQ(stream->next(), nullptr) << "the end stays the end";
    return examples;
  }

  static std::string words(const Doc& doc) {
    std::string text;
    for (int i = 0; i < doc.size(); ++i) text += (i > 0 ? "|" : "") + std::string(doc.word(i));
    return text;
  }

  // A .spacy file of the documents.
  static std::string doc_bin(const std::string& name, const std::vector<Doc>& docs) {
    DocBinWriter writer;
    for (const Doc& doc : docs) writer.add(doc);
    return file_with(name, writer.to_bytes());
  }

  static std::string gzipped(const std::string& bytes) {
    std::ostringstream target;
    CompressedOutput buffer(Compression::gzip, target);
    std::ostream(&buffer) << bytes;
    buffer.finish();
    return target.str();
  }

  Doc spaced(const std::vector<std::string>& list) const {
    const std::unique_ptr<bool[]> spaces(new bool[list.size()]());
    return Doc::from_words(nlp_->vocab(), list, std::span(spaces.get(), list.size()));
  }

  std::shared_ptr<Language> nlp_ = blank("en");
  ExamplePtr last_;
};

TEST_F(CorporaTest, SpacyFilesAreTokenizedAnewWhereTheSpacingIsKnown) {
  const Doc unspaced = Doc::from_words(nlp_->vocab(), {"don't", "go"});
  const std::string path =
      doc_bin("a.spacy", {spaced({"don't", "!"}), unspaced, Doc(nlp_->vocab())});
  const std::string block = "@readers = \"spacy.Corpus.v1\"\npath = \"" + path + "\"\n";
  EXPECT_THAT(read(block + "gold_preproc = false\n"),
              ElementsAre("do|n't|! / don't|!", "don't|go / don't|go"));
  EXPECT_THAT(read(block + "gold_preproc = true\n"),
              ElementsAre("don't|! / don't|!", "don't|go / don't|go"));
  EXPECT_THAT(read(block + "gold_preproc = false\nlimit = 1\n"), ElementsAre("do|n't|! / don't|!"));
  EXPECT_EQ(read(block + "gold_preproc = false\nlimit = -1\n").size(), 2U);  // as spaCy has it
}

TEST_F(CorporaTest, DocumentsWithoutSentencesKeepTheirCategories) {
  Doc doc = spaced({"a", "b"});
  doc.set_cats({{"A", 1.0}});
  const std::string path = doc_bin("cats.spacy", {doc});
  read("@readers = \"spacy.Corpus.v1\"\npath = \"" + path + "\"\ngold_preproc = true\n");
  ASSERT_NE(last_, nullptr);
  EXPECT_EQ(last_->reference().cats().size(), 1U);
}

TEST_F(CorporaTest, BothSidesShareTokensThatAreTheSame) {
  const Doc home = nlp_->make_doc("we didn't go home.");
  const std::string block = "@readers = \"spacy.Corpus.v1\"\ngold_preproc = false\npath = \"";
  read(block + doc_bin("same.spacy", {home}) + "\"\n");
  const Doc& predicted = last_->predicted();
  EXPECT_EQ(predicted.tokens(), last_->reference().tokens());
  EXPECT_TRUE(std::ranges::equal(predicted.sent_starts(), home.sent_starts()));
  EXPECT_EQ(predicted.norm(2), "not");
  EXPECT_FALSE(predicted.has_ents() || predicted.has_unknown_spaces());

  // The same words, but another norm, or a space elsewhere.
  Doc merged = spaced({"we", "didn't", "go"});
  read(block + doc_bin("merged.spacy", {merged}) + "\"\n");
  EXPECT_NE(last_->predicted().tokens(), last_->reference().tokens());
  TokenTableBuilder builder;
  const Lexeme lexeme = nlp_->vocab()->lexeme("go");
  builder.append("go", lexeme, false, nlp_->vocab()->strings().add("gone"));
  read(block + doc_bin("norm.spacy", {Doc(nlp_->vocab(), builder.finish())}) + "\"\n");
  EXPECT_EQ(last_->reference().norm(0), "gone");
  EXPECT_EQ(last_->predicted().norm(0), "go");
}

TEST_F(CorporaTest, LongDocumentsAreCutIntoSentences) {
  Doc doc = Doc::from_words(nlp_->vocab(), {"a", "b", "c", "d", "e", "f"});
  doc.set_sent_starts({1, -1, 1, -1, -1, -1});
  const Doc whole = Doc::from_words(nlp_->vocab(), {"t", "u", "v", "w", "x"});
  const std::string path = doc_bin("a.spacy", {doc, whole});
  EXPECT_THAT(read("@readers = \"spacy.Corpus.v1\"\npath = \"" + path +
                   "\"\ngold_preproc = false\nmax_length = 4\n"),
              ElementsAre("a|b / a|b"))
      << "neither the longer sentence nor the document without sentences";
  EXPECT_THAT(read("@readers = \"spacy.Corpus.v1\"\npath = \"" + path +
                   "\"\ngold_preproc = true\nmax_length = 4\n"),
              ElementsAre("a|b / a|b", "c|d|e|f / c|d|e|f", "t|u|v|w|x / t|u|v|w|x"))
      << "sentences of the annotation have no limit";
}

// spaCy makes a document of each sentence, with a space behind every word where nothing is known.
TEST_F(CorporaTest, SentencesThatAreCutAreTokenizedAnew) {
  Doc doc = Doc::from_words(nlp_->vocab(), {"don't", "go", ".", "He", "can't", "now", "."});
  doc.set_sent_starts({1, -1, -1, 1, -1, -1, -1});
  const std::string path = doc_bin("unspaced.spacy", {doc});
  EXPECT_THAT(read("@readers = \"spacy.Corpus.v1\"\npath = \"" + path +
                   "\"\ngold_preproc = false\nmax_length = 5\n"),
              ElementsAre("do|n't|go|. / don't|go|.", "He|ca|n't|now|. / He|can't|now|."));
  EXPECT_FALSE(last_->reference().has_unknown_spaces());
}

TEST_F(CorporaTest, ATextThatTheTokenizerRefusesHasItsPlace) {
  TokenizerRules rules;
  rules.infix_finditer = "(?:(?:a|b|ab)+)+[yz]";
  nlp_->set_tokenizer(std::make_shared<Tokenizer>(rules));
  const Doc good = spaced({"fine"});
  const Doc bad = spaced({std::string(500, 'a') + "b-z"});
  const std::string path = doc_bin("refused.spacy", {good, bad});
  try {
    read("@readers = \"spacy.Corpus.v1\"\npath = \"" + path +
         "\"\ngold_preproc = false\nmax_length = 0\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr(path + "  document 2: the document of 503 bytes"));
  }
}

TEST_F(CorporaTest, FoldersOfSpacyFilesAreOneCorpus) {
  const std::string a = doc_bin("b.spacy", {Doc::from_words(nlp_->vocab(), {"second"})});
  doc_bin("a.spacy", {Doc::from_words(nlp_->vocab(), {"first"})});
  file_with("notes.txt", "no corpus");
  const std::string folder = fs::path(a).parent_path().string();
  EXPECT_THAT(
      read("@readers = \"spacy.Corpus.v1\"\ngold_preproc = false\npath = \"" + folder + "\"\n"),
      ElementsAre("first / first", "second / second"));
}

// A file that is packed, and one in a folder; messages name the file, not the copy that is read.
TEST_F(CorporaTest, PackedSpacyFilesAreRead) {
  DocBinWriter writer;
  writer.add(Doc::from_words(nlp_->vocab(), {"packed"}));
  const std::string packed = gzipped(writer.to_bytes());
  const std::string path = file_with("a.spacy.gz", packed);
  doc_bin("b.spacy", {Doc::from_words(nlp_->vocab(), {"plain"})});
  const std::string block = "@readers = \"spacy.Corpus.v1\"\ngold_preproc = false\npath = \"";
  EXPECT_THAT(read(block + path + "\"\n"), ElementsAre("packed / packed"));
  const std::string folder = fs::path(path).parent_path().string();
  EXPECT_THAT(read(block + folder + "\"\n"), ElementsAre("packed / packed", "plain / plain"));
  const std::string cut = file_with("cut.spacy.gz", gzipped("x\x9c cut"));
  try {
    read(block + cut + "\"\n");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cut.spacy.gz"));
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("/proc/")));
  }
  fs::remove(cut);  // folders are read whole, and stay from run to run
}

TEST_F(CorporaTest, ConllKeepsItsWords) {
  const std::string path = file_with("a.conll", "don't\tO\nOslo\tB-LOC\n\nx\tO\n\ny\tB-PER\n\n");
  const std::string block = "@readers = \"weft.ConllCorpus.v1\"\npath = \"" + path + "\"\n";
  EXPECT_THAT(read(block), ElementsAre("don't|Oslo / don't|Oslo", "x / x", "y / y"));
  ASSERT_EQ(last_->reference().ents().size(), 1u);
  EXPECT_TRUE(last_->predicted().ents().empty());
  EXPECT_THAT(read(block + "sentences_per_document = 2\nlimit = 1\n"),
              ElementsAre("don't|Oslo|x / don't|Oslo|x"));
}

TEST_F(CorporaTest, JsonLinesAreFilteredByLength) {
  const std::string path =
      file_with("a.jsonl",
                "{\"text\": \"It's Oslo\", \"entities\": [[5, 9, \"LOC\"]]}\n"
                "{\"text\": \"One two three four five\"}\n{\"text\": \"\"}\n{\"text\": \"One\"}\n");
  const std::string block = "@readers = \"spacy.JsonlCorpus.v1\"\npath = \"" + path + "\"\n";
  EXPECT_THAT(read(block + "min_length = 2\nmax_length = 5\n"),
              ElementsAre("It|'s|Oslo / It|'s|Oslo"));
  ASSERT_EQ(last_->reference().ents().size(), 1u);
  EXPECT_EQ(last_->reference().ents()[0].label, id("LOC"));
  EXPECT_EQ(read(block).size(), 3u) << "an empty document is no example";
}

// Fields that a reader of texts has no use for may hold anything.
TEST_F(CorporaTest, RecordsAreReadForTheirTextAlone) {
  const std::string path = file_with(
      "odd.jsonl",
      R"({"text": "It's me", "label": 3, "entities": "x", "tokens": 12, "cats": ["x"]})"
      "\n"
      R"({"text": "It's me", "tokens": ["It's", "me"], "answer": "reject"})"
      "\n"
      R"({"text": "It's me", "spans": [{"start": 1, "end": 2, "label": "X"}], "sents": [], "entites": 1})"
      "\n"
      R"({"tokens": ["It's", "me"], "ner_tags": ["B-X", "O"]})"
      "\n");
  const auto reader =
      testing::build<Reader>("@readers = \"spacy.JsonlCorpus.v1\"\npath = \"" + path + "\"\n");
  EXPECT_THROW(reader.open(*nlp_)->next(), Error);
  const Reader texts = texts_of(reader);
  const ExampleStreamPtr stream = texts.open(*nlp_);
  std::vector<std::string> found;
  while (const ExamplePtr example = stream->next()) {
    found.push_back(words(example->reference()));
    EXPECT_FALSE(example->reference().has_ents());
  }
  EXPECT_THAT(found, ElementsAre("It|'s|me", "It|'s|me", "It|'s|me", "It's|me"));
}

TEST_F(CorporaTest, PlainTextIsADocumentOnEachLine) {
  const std::string path = file_with("a.txt", "It's me.\n\n  \nTwo words\n");
  EXPECT_THAT(
      read("@readers = \"spacy.PlainTextCorpus.v1\"\nmin_length = 2\npath = \"" + path + "\"\n"),
      ElementsAre("It|'s|me|. / It|'s|me|.", "Two|words / Two|words"));
}

TEST_F(CorporaTest, PlainTextMayHaveTheLineEndsOfAnySystem) {
  const std::string path = file_with("a.txt", "one\rtwo\r\nthree\r\r\nfour\nfive\r");
  EXPECT_THAT(read("@readers = \"spacy.PlainTextCorpus.v1\"\npath = \"" + path + "\"\n"),
              ElementsAre("one / one", "two / two", "three / three", "four / four", "five / five"));
}

TEST_F(CorporaTest, EntitiesThatDoNotFitAreTreatedAsTheSettingSays) {
  // The rules of the language cut "don't" in two; the reference ends an entity inside.
  Doc doc = Doc::from_words(nlp_->vocab(), {"I", "don", "'t"}, {true, false, false});
  doc.set_ents({{1, 2, id("X")}});
  const std::string spacy = doc_bin("a.spacy", {doc});
  const std::string jsonl =
      file_with("a.jsonl", "{\"text\": \"I don't\", \"entities\": [[2, 5, \"X\"]]}\n");
  for (const std::string& start :
       {"@readers = \"spacy.Corpus.v1\"\ngold_preproc = false\npath = \"" + spacy + "\"\n",
        "@readers = \"spacy.JsonlCorpus.v1\"\npath = \"" + jsonl + "\"\n"}) {
    const auto ents_under = [&](const std::string& policy) {
      const auto reader = testing::build<Reader>(start + "on_misaligned = \"" + policy + "\"\n");
      std::vector<std::string> told;
      const auto stream = open_telling(
          reader, *nlp_, {[&](const Misaligned& found) { told.push_back(found.str()); }, {}});
      const ExamplePtr example = stream->next();
      EXPECT_EQ(told.size(), 1u) << policy;
      EXPECT_THAT(told.empty() ? "" : told[0], HasSubstr("X at characters 2 to 5, \"don\""));
      std::string text;
      for (const Span& ent : example->reference().ents()) {
        text += example->reference().span_text(ent.start, ent.end);
      }
      return text;
    };
    EXPECT_EQ(ents_under("expand"), "don't") << start;
    EXPECT_EQ(ents_under("contract"), "do") << start;
    const bool is_spacy = start.find("spacy.Corpus.v1") != start.npos;
    EXPECT_EQ(ents_under("drop"), is_spacy ? "don" : "") << "only the training tags lack it";
    EXPECT_THROW(read(start + "on_misaligned = \"error\"\n"), Error);
  }
}

TEST_F(CorporaTest, UnlessToldOtherwiseSpacyFilesDropAndJsonLinesStop) {
  const auto policy = [](const std::string& block) {
    return testing::build<Reader>("@readers = " + block).on_misaligned;
  };
  EXPECT_EQ(policy("\"spacy.Corpus.v1\"\ngold_preproc = false\npath = null\n"),
            AlignmentPolicy::drop);
  EXPECT_EQ(policy("\"spacy.JsonlCorpus.v1\"\npath = null\n"), AlignmentPolicy::error);
}

TEST_F(CorporaTest, ExamplesKnowTheirPlace) {
  const std::string jsonl = file_with("a.jsonl", "{\"text\": \"a\"}\n\n{\"text\": \"b\"}\n");
  read("@readers = \"spacy.JsonlCorpus.v1\"\npath = \"" + jsonl + "\"\n");
  EXPECT_EQ(last_->place().str(), jsonl + ":3, document 2");
  const std::string spacy = doc_bin("a.spacy", {spaced({"a"}), spaced({"b"})});
  read("@readers = \"spacy.Corpus.v1\"\ngold_preproc = false\npath = \"" + spacy + "\"\n");
  EXPECT_EQ(last_->place().str(), spacy + ", document 2");
  const std::string conll = file_with("a.conll", "x\tO\n\ny\tO\n");
  read("@readers = \"weft.ConllCorpus.v1\"\npath = \"" + conll + "\"\n");
  EXPECT_EQ(last_->place().str(), conll + ":3, document 2");
  const std::string plain = file_with("a.txt", "x\n\ny\n");
  read("@readers = \"spacy.PlainTextCorpus.v1\"\npath = \"" + plain + "\"\n");
  EXPECT_EQ(last_->place().str(), plain + ":3");
}

TEST_F(CorporaTest, APathThatIsMissingIsTold) {
  for (const char* name : {"spacy.Corpus.v1", "weft.ConllCorpus.v1", "spacy.JsonlCorpus.v1",
                           "spacy.PlainTextCorpus.v1"}) {
    const std::string more = name == std::string("spacy.Corpus.v1") ? "gold_preproc = false\n" : "";
    EXPECT_THROW(read(fmt::format("@readers = \"{}\"\npath = \"/no/such\"\n{}", name, more)), Error)
        << name;
    try {
      read(fmt::format("@readers = \"{}\"\npath = null\n{}", name, more));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

}  // namespace
}  // namespace weft
