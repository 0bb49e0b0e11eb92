// weft.ConlluCorpus.v1: files and folders of CoNLL-U as examples.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "tests/components/building.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

constexpr const char* kText =
    "# newdoc\n"
    "1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tcan\tcan\tAUX\tMD\t_\t3\taux\t_\t_\n2\tnot\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n"
    "3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n\n"
    "1\tStay\tstay\tVERB\tVB\t_\t0\troot\t_\t_\n";

class ConlluCorpus : public ::testing::Test {
 protected:
  // The reference's words of each example, and its place.
  std::vector<std::string> read(const std::string& path, const std::string& more = "") {
    const auto reader = testing::build<Reader>("@readers = \"weft.ConlluCorpus.v1\"\npath = \"" +
                                               path + "\"\n" + more);
    const ExampleStreamPtr stream = reader.open(*nlp_);
    std::vector<std::string> examples;
    while (const ExamplePtr example = stream->next()) {
      std::string words = std::to_string(example->place().line) + ":";
      for (int i = 0; i < example->reference().size(); ++i) {
        words += " " + std::string(example->reference().word(i));
      }
      examples.push_back(words);
      last_ = example;
    }
    return examples;
  }

  std::shared_ptr<Language> nlp_ = blank("en");
  ExamplePtr last_;
};

TEST_F(ConlluCorpus, SentencesOfAFileAreExamplesWithTheirLines) {
  const std::string file = file_with("a.conllu", kText);
  EXPECT_THAT(read(file), ElementsAre("3: can not go", "7: Stay"));
  EXPECT_EQ(last_->aligned_column(Attr::tag), std::vector{nlp_->vocab()->strings().add("VB")});
  EXPECT_THAT(read(file, "sentences_per_document = 2\n"), ElementsAre("3: can not go Stay"));
  EXPECT_THAT(read(file, "sentences_per_document = 0\n"), ElementsAre("3: can not go Stay"));
  EXPECT_THAT(read(file, "merge_subtokens = true\nlimit = 1\n"), ElementsAre("3: cannot go"));
  EXPECT_THAT(read(file, "sentences_per_document = 2\ngold_preproc = true\n"),
              ElementsAre("3: can not go", "3: Stay"));
}

TEST_F(ConlluCorpus, AFolderIsOneCorpus) {
  const std::string folder = file_with("b.conllu", kText);
  file_with("a.conllu", "1\tFirst\tfirst\tADV\tRB\t_\t0\troot\t_\t_\n");
  file_with("c.txt", "no treebank");
  EXPECT_THAT(read(folder.substr(0, folder.rfind('/'))),
              ElementsAre("1: First", "3: can not go", "7: Stay"));
}

}  // namespace
}  // namespace weft
