#include "framework/text/converter.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

TEST(ConverterFor, GoesByTheEnding) {
  EXPECT_EQ(converter_for("a.conll"), "conll");
  EXPECT_EQ(converter_for("b/a.b.tsv"), "conll");
  EXPECT_EQ(converter_for("a.ndjson"), "jsonl");
  EXPECT_EQ(converter_for("a.json"), "json");
  EXPECT_EQ(converter_for(file_with("b.json", "[{\"id\": 0, \"paragraphs\": []}]")), "json");
  EXPECT_EQ(converter_for(file_with("c.json", "{\"paragraphs\": []}")), "json");
  EXPECT_EQ(converter_for(file_with("d.json", "[{\"a\": {\"paragraphs\": 1}}]")), "jsonl");
  EXPECT_EQ(converter_for(file_with("e.json", "[[\"t\", {}]]")), "jsonl");
  EXPECT_EQ(converter_for(file_with("a.csv", "\nword,tag\n")), "conll");
  EXPECT_EQ(converter_for(file_with("b.csv", "\"a,b\",O\n")), "conll");
  EXPECT_EQ(converter_for(file_with("c.csv", "text,label\nI won,sports\n")), "csv");
  EXPECT_EQ(converter_for("a.spacy"), "spacy");
  EXPECT_EQ(converter_for("a.txt"), "text");
  EXPECT_EQ(converter_for("a.conllu"), "conllu");
  EXPECT_EQ(converter_for("a.conll.gz"), "conll");
  EXPECT_EQ(converter_for("a.jsonl.zst"), "jsonl");
  EXPECT_EQ(converter_for("a.conllu.xz"), "conllu");
  for (const char* other : {"a", "a.CONLL", "conll", "a.gz", ""}) {
    EXPECT_EQ(converter_for(other), "") << other;
  }
}

TEST(ConverterFor, LooksIntoIobFilesAndFolders) {
  EXPECT_EQ(converter_for(file_with("lines.iob", "\nAda|B-PER left|O\n")), "iob");
  EXPECT_EQ(converter_for(file_with("columns.iob", "Ada\tB-PER\nleft\tO\n")), "conll");
  EXPECT_EQ(converter_for(file_with("pipes.iob", "|\tO\n")), "conll");
  EXPECT_EQ(converter_for(file_with("empty.iob", "")), "conll");
  EXPECT_EQ(converter_for("a.ner"), "conll");
  const std::string lines = file_with("lines.ner", "Ada|B-PER left|O\n");
  EXPECT_EQ(converter_for(lines), "iob");
  std::filesystem::remove(lines);
  const std::string folder = std::filesystem::path(file_with("x", "")).parent_path().string();
  EXPECT_THROW(converter_for(folder), Error) << "files of two formats";
  std::filesystem::remove(folder + "/lines.iob");
  EXPECT_EQ(converter_for(folder), "conll");
}

}  // namespace
}  // namespace weft
