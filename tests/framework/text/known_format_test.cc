// Formats told by their first bytes, and what a reader says of another one than its own.
#include "framework/text/known_format.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/compressed_file.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(KnownFormat, IsToldByTheFirstBytes) {
  EXPECT_EQ(format_of("Ada NNP B-NP B-PER\nleft VBD O O\n"), KnownFormat::conll);
  EXPECT_EQ(format_of("-DOCSTART- -X- O O\n\nEU\tO\n"), KnownFormat::conll);
  EXPECT_EQ(format_of("{ -LRB- O\n"), KnownFormat::conll);
  EXPECT_EQ(format_of("\xEF\xBB\xBF{\"text\": \"a\"}\n"), KnownFormat::jsonl);
  EXPECT_EQ(format_of("[\n {\"id\": 0, \"paragraphs\": []}]"), KnownFormat::json);
  EXPECT_EQ(format_of("[\n {\"id\": 0}]"), KnownFormat::jsonl) << "a list of records";
  EXPECT_EQ(format_of(std::string("x\x9c\x01\x02\x00", 5)), KnownFormat::spacy);
  for (const char* text : {"", "\n\n", "x^2 is a square", "Ada left.", "[1, 2]", "{", "["}) {
    EXPECT_EQ(format_of(text), KnownFormat::unknown) << text;
  }
}

std::string refusal_of(const std::string& name, const std::string& text, KnownFormat wanted) {
  const fs::path file = fs::path(testing::TempDir()) / name;
  write_file(file, text);
  try {
    refuse_other_format(file.string(), wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

TEST(KnownFormat, ARefusalNamesTheReaderAndTheConversion) {
  const std::string conll = refusal_of("known.conll", "Ada B-PER\n", KnownFormat::spacy);
  EXPECT_THAT(conll, HasSubstr("this is CoNLL text"));
  EXPECT_THAT(conll, HasSubstr("weft.ConllCorpus.v1"));
  EXPECT_THAT(conll, HasSubstr("weft convert "));
  EXPECT_THAT(conll, HasSubstr("known.spacy"));
  const std::string misnamed = refusal_of("known.spacy", "{\"text\": \"a\"}\n", KnownFormat::spacy);
  EXPECT_THAT(misnamed, HasSubstr("--converter jsonl"));
  EXPECT_THAT(misnamed, HasSubstr("spacy.JsonlCorpus.v1"));
}

TEST(KnownFormat, PackedTextIsLookedIntoAsFarAsItsBeginning) {
  std::string records;
  for (int i = 0; i < 3000; ++i) records += "{\"text\": \"number " + std::to_string(i) + "\"}\n";
  for (const char* ending : {".gz", ".zst", ".xz"}) {
    const fs::path file = fs::path(testing::TempDir()) / (std::string("known.jsonl") + ending);
    CompressedFile packed(file);
    packed.stream() << records;
    packed.commit();
    EXPECT_NO_THROW(refuse_other_format(file.string(), KnownFormat::jsonl)) << ending;
    EXPECT_THROW(refuse_other_format(file.string(), KnownFormat::conll), Error) << ending;
  }
}

TEST(KnownFormat, OwnAndUnknownOnesPass) {
  EXPECT_EQ(refusal_of("own.conll", "Ada B-PER\n", KnownFormat::conll), "");
  EXPECT_EQ(refusal_of("own.text", "Ada left.\n", KnownFormat::conll), "");
  EXPECT_NO_THROW(refuse_other_format("/absent", KnownFormat::spacy));
}

}  // namespace
}  // namespace weft
