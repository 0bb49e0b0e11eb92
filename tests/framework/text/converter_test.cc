#include "framework/text/converter.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

TEST(ConverterFor, GoesByTheEnding) {
  EXPECT_EQ(converter_for("a.conll"), "conll");
  EXPECT_EQ(converter_for("b/a.b.tsv"), "conll");
  EXPECT_EQ(converter_for("a.ndjson"), "jsonl");
  EXPECT_EQ(converter_for("a.json"), "json");
  EXPECT_EQ(converter_for("a.spacy"), "spacy");
  EXPECT_EQ(converter_for("a.txt"), "text");
  for (const char* other : {"a", "a.CONLL", "conll", "a.conll.gz", ""}) {
    EXPECT_EQ(converter_for(other), "") << other;
  }
}

TEST(ConverterFor, LooksIntoIobFilesAndFolders) {
  EXPECT_EQ(converter_for(file_with("lines.iob", "\nAda|B-PER left|O\n")), "iob");
  EXPECT_EQ(converter_for(file_with("columns.iob", "Ada\tB-PER\nleft\tO\n")), "conll");
  EXPECT_EQ(converter_for(file_with("pipes.iob", "|\tO\n")), "conll");
  EXPECT_EQ(converter_for(file_with("empty.iob", "")), "conll");
  EXPECT_EQ(converter_for(std::filesystem::path(file_with("x", "")).parent_path().string()),
            "spacy");
}

}  // namespace
}  // namespace weft
