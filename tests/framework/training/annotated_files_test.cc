// Documents of a corpus with their places, read on behind faults, in each format.
#include "framework/training/annotated_files.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/tokenizer.h"
#include "registry/base/error.h"
#include "tests/framework/pipeline/one_weight_component.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AnnotatedFilesTest : public ::testing::Test {
 protected:
  // Words that blanks separate.
  AnnotatedFilesTest() { nlp_.set_tokenizer(std::make_shared<Tokenizer>(TokenizerRules())); }
  void read(const ReadAnnotated& corpus) {
    corpus(nlp_, {.corpus = "corpora.train",
                  .take =
                      [this](const PlacedDoc& placed) {
                        documents_.push_back(std::to_string(placed.document) + " " +
                                             std::to_string(placed.line) + " " +
                                             std::string(placed.doc.text()));
                      },
                  .tell = [this](const DataProblem& problem) { faults_.push_back(problem); }});
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::vector<std::string> documents_;  // "number line text"
  std::vector<DataProblem> faults_;
};

TEST_F(AnnotatedFilesTest, RecordsBehindABrokenOneAreRead) {
  read(annotated_jsonl(
      file_with("a.jsonl", "{\"text\": \"one\"}\n{\"text\": \n{\"text\": \"two\"}\n"), {}));
  EXPECT_THAT(documents_, ElementsAre("1 1 one", "3 3 two"));
  ASSERT_THAT(faults_, SizeIs(1));
  EXPECT_EQ(faults_[0].fault, DataFault::unreadable);
  EXPECT_EQ(faults_[0].corpus, "corpora.train");
  EXPECT_EQ(faults_[0].line, 2);
  EXPECT_EQ(faults_[0].document, 2);
}

// The document is read nevertheless: other faults of it are to be found in the same pass.
TEST_F(AnnotatedFilesTest, EntitiesThatDoNotFitAreToldByTheirFault) {
  const auto record = [](const std::string& entities) {
    return "{\"text\": \"Ada went home\", \"entities\": [" + entities + "]}\n";
  };
  read(annotated_jsonl(file_with("a.jsonl", record("[0, 2, \"PER\"]") + record("[0, 4, \"PER\"]") +
                                                record("[0, 3, \"PER\"], [0, 8, \"PER\"]") +
                                                record("[9, 99, \"PER\"]")),
                       {}));
  EXPECT_THAT(documents_, SizeIs(4));
  std::vector<DataFault> kinds;
  for (const DataProblem& fault : faults_) kinds.push_back(fault.fault);
  EXPECT_THAT(kinds, ElementsAre(DataFault::misaligned, DataFault::white_space, DataFault::overlap,
                                 DataFault::outside));
  ASSERT_FALSE(faults_.empty());
  EXPECT_EQ(faults_[0].label, "PER");
  EXPECT_EQ(faults_[0].repair, "take \"Ada\"");
}

TEST_F(AnnotatedFilesTest, RowsBehindABrokenOneAreRead) {
  const CsvSettings settings;
  read(annotated_csv(file_with("a.csv", "text,label\none,A\ntwo\nthree,B\n"), settings));
  EXPECT_THAT(documents_, ElementsAre("1 2 one", "3 4 three"));
  ASSERT_THAT(faults_, SizeIs(1));
  EXPECT_EQ(faults_[0].document, 2);
}

// A table whose header is none gives no row at all.
TEST_F(AnnotatedFilesTest, ATableWithoutItsColumnsIsOneFault) {
  read(annotated_csv(file_with("a.csv", "body,label\none,A\ntwo,B\n"), {}));
  EXPECT_THAT(documents_, IsEmpty());
  EXPECT_THAT(faults_, SizeIs(1));
}

TEST_F(AnnotatedFilesTest, SentencesArePutTogetherAsTheReaderDoes) {
  const std::string file = file_with("a.conll", "Ada U-PER\n\nwent O\n\nhome O\n");
  read(annotated_conll(file, {.sents_per_doc = 2}));
  EXPECT_THAT(documents_, SizeIs(2));
  EXPECT_THAT(faults_, IsEmpty());
}

TEST_F(AnnotatedFilesTest, WordsUpToABrokenLineAreRead) {
  read(annotated_conllu(file_with("a.conllu", "1\tAda\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tbroken\n\n"),
                        {.sents_per_doc = 1}));
  EXPECT_THAT(documents_, SizeIs(1));
  ASSERT_THAT(faults_, SizeIs(1));
  EXPECT_EQ(faults_[0].fault, DataFault::unreadable);
}

TEST_F(AnnotatedFilesTest, AFileThatIsNoDocBinIsAFaultAndAMissingOneAnError) {
  const std::string file = file_with("a.spacy", "no bytes of that kind");
  read(annotated_doc_bins(file));
  EXPECT_THAT(documents_, IsEmpty());
  ASSERT_THAT(faults_, SizeIs(1));
  EXPECT_EQ(faults_[0].file, file);
  EXPECT_THROW(read(annotated_jsonl(file + ".jsonl", {})), Error);
}

}  // namespace
}  // namespace weft
