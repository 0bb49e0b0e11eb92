// The examples of docs/data.md through the readers that train: entities and categories of each file
// are as many as its page says.
#include "tests/data_page.h"

#include <charconv>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "tests/components/building.h"
#include "tests/folders.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

struct Found {
  int entities = 0;
  int categorised = 0;
  int left_out = 0;
};

Found read(const std::string& name, const std::string& path, const Language& nlp) {
  const bool is_json = name.ends_with(".json") || name.ends_with(".jsonl");
  std::string block =
      is_json ? "@readers = \"spacy.JsonlCorpus.v1\"\n" : "@readers = \"weft.ConllCorpus.v1\"\n";
  if (name == "rows.csv") block = "@readers = \"weft.CsvCorpus.v1\"\n";
  block += "path = \"" + path + "\"\n";
  if (name == "numbered.jsonl") {
    block += "tag_names = [\"O\", \"B-PER\", \"I-PER\", \"B-LOC\", \"I-LOC\"]\n";
  }
  const auto reader = testing::build<Reader>(block);
  Found found;
  const auto stream = open_telling(reader, nlp, {{}, [&](Verdict) { ++found.left_out; }});
  while (const ExamplePtr example = stream->next()) {
    found.entities += static_cast<int>(example->reference().ents().size());
    found.categorised += example->reference().cats().empty() ? 0 : 1;
  }
  return found;
}

// The number in front of `what` in the output that the page shows; 0 where it does not stand there.
int number_before(const std::string& output, const std::string& what) {
  const std::size_t end = output.find(what);
  if (end == output.npos) return 0;
  std::size_t start = end;
  while (start > 0 && output[start - 1] >= '0' && output[start - 1] <= '9') --start;
  int number = 0;
  std::from_chars(output.data() + start, output.data() + end, number);
  return number;
}

TEST(DataPage, TrainingReadersFindWhatThePageSays) {
  const DataPage page = data_page(source_path("docs/data.md"));
  ASSERT_GE(page.files.size(), 12u);
  ASSERT_EQ(page.commands.size(), page.files.size());
  const auto nlp = blank("en");
  for (std::size_t i = 0; i < page.files.size(); ++i) {
    const PageFile& file = page.files[i];
    const std::string& output = page.commands[i].output;
    ASSERT_EQ(page.commands[i].words[1], file.name);
    const Found found = read(file.name, file_with(file.name, file.text), *nlp);
    EXPECT_EQ(found.entities, number_before(output, " entities")) << file.name;
    EXPECT_EQ(found.categorised, number_before(output, " documents with categories")) << file.name;
    EXPECT_EQ(found.left_out, number_before(output, " records are left out")) << file.name;
  }
}

}  // namespace
}  // namespace weft
