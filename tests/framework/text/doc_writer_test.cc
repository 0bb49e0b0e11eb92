#include "framework/text/doc_writer.h"

#include <filesystem>
#include <memory>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DocWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(file_with("x", "")).parent_path() / "out" / "deep";
    fs::remove_all(folder_.parent_path());
  }

  Doc doc(const char* word) const { return Doc::from_words(vocab_, {word}); }

  std::string written(const fs::path& file, const DocWriterOptions& options) const {
    const auto writer = open_doc_writer(file, options);
    writer->add(doc("one"));
    writer->add(doc("two"));
    EXPECT_FALSE(fs::exists(file)) << "not before it is finished";
    writer->finish();
    return read_file(file);
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  fs::path folder_;
};

TEST_F(DocWriterTest, TheEndingSaysTheFormatAndFoldersAreMade) {
  EXPECT_EQ(written(folder_ / "a.jsonl", {}),
            "{\"tokens\": [\"one\"], \"cats\": {}}\n{\"tokens\": [\"two\"], \"cats\": {}}\n");
  EXPECT_THAT(written(folder_ / "b.jsonl", {.json = DocJson::prediction}),
              HasSubstr("{\"text\": \"two \", "));
  EXPECT_EQ(written(folder_ / "a.conll", {}), "one\t-\n\ntwo\t-\n\n");
  EXPECT_EQ(written(folder_ / "a.iob", {.docstart = true}),
            "-DOCSTART-\tO\n\none\t-\n\n-DOCSTART-\tO\n\ntwo\t-\n\n");
  written(folder_ / "a.spacy", {});
  DocBinReader reader((folder_ / "a.spacy").string(), vocab_);
  EXPECT_EQ(reader.size(), 2u);
}

TEST_F(DocWriterTest, WhatIsNotFinishedLeavesNothing) {
  fs::create_directories(folder_);
  for (const char* name : {"a.jsonl", "a.conll", "a.spacy"}) {
    write_file(folder_ / name, "before");
    open_doc_writer(folder_ / name, {})->add(doc("lost"));
    EXPECT_EQ(read_file(folder_ / name), "before") << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

TEST_F(DocWriterTest, OtherEndingsAreRefused) {
  for (const char* name : {"a.txt", "a", "a.gz", ".spacy"}) {
    try {
      open_doc_writer(folder_ / name, {});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

TEST_F(DocWriterTest, AStreamThatFailsIsTold) {
  std::ostringstream out;
  const auto writer = json_line_writer(out, DocJson::corpus);
  writer->add(doc("one"));
  EXPECT_EQ(out.str(), "{\"tokens\": [\"one\"], \"cats\": {}}\n");
  out.setstate(std::ios::badbit);
  EXPECT_THROW(writer->add(doc("two")), Error);
}

// Takes everything, and fails once it is to be handed on, as a full disk does behind a buffer.
class FullBuffer : public std::stringbuf {
 protected:
  int sync() override { return -1; }
};

TEST_F(DocWriterTest, LastLinesThatCannotBeWrittenAreAnError) {
  for (const char* format : {".jsonl", ".conll", ".conllu", ".spacy"}) {
    FullBuffer buffer;
    std::ostream out(&buffer);
    const auto writer = stream_doc_writer(out, {.format = format});
    writer->add(doc("lost"));
    try {
      writer->finish();
      ADD_FAILURE() << format;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::system) << format;
    }
  }
}

}  // namespace
}  // namespace weft
