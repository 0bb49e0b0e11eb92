#include "framework/io/compression.h"

#include <sstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/compressed_file.h"
#include "framework/io/compressed_output.h"
#include "framework/io/input_stream.h"
#include "framework/io/seekable_input.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

std::string compressed(Compression compression, const std::string& text) {
  std::ostringstream target;
  CompressedOutput buffer(compression, target);
  std::ostream(&buffer) << text;
  buffer.finish();
  return target.str();
}

std::string all_of(InputStream stream, std::size_t step = 1000) {
  std::string text;
  std::string piece(step, '\0');
  while (const std::size_t got = stream.read(piece.data(), piece.size()))
    text.append(piece, 0, got);
  return text;
}

std::string error_of(const std::string& file) {
  try {
    all_of(InputStream(file));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "line " + std::to_string(i * 7919 % 10007) + "\n";
  return text;
}

class CompressedText : public ::testing::TestWithParam<std::pair<std::string_view, Compression>> {
 protected:
  std::string file(const std::string& bytes) const {
    return file_with("text" + std::string(GetParam().first), bytes);
  }
};

TEST_P(CompressedText, ComesBackInStepsOfAnySize) {
  const std::string text = long_text();
  const std::string bytes = compressed(GetParam().second, text);
  EXPECT_LT(bytes.size(), text.size() / 2);
  for (const std::size_t step : {7UL, 1000UL, 1000000UL}) {
    EXPECT_EQ(all_of(InputStream(file(bytes)), step), text);
  }
  EXPECT_EQ(compressed(GetParam().second, text), bytes) << "no date in it";
}

// A caller whose buffer is full asks for nothing: it went round in the decompressor for ever.
TEST_P(CompressedText, NothingIsReadWhereThereIsNoRoom) {
  const std::string text = long_text();
  InputStream stream(file(compressed(GetParam().second, text)));
  std::string piece(4096, '\0');
  std::size_t size = 0;
  while (size < piece.size()) size += stream.read(piece.data() + size, piece.size() - size);
  EXPECT_EQ(stream.read(piece.data(), 0), 0u);
  EXPECT_EQ(piece + all_of(std::move(stream)), text);
}

TEST_P(CompressedText, OfSeveralPartsIsOneText) {
  const Compression how = GetParam().second;
  const std::string bytes = compressed(how, "one\n") + compressed(how, "") + compressed(how, "two");
  EXPECT_EQ(all_of(InputStream(file(bytes))), "one\ntwo");
  EXPECT_EQ(all_of(InputStream(file(compressed(how, "")))), "");
}

TEST_P(CompressedText, ThatIsCutOffOrDamagedIsAnErrorWithItsFile) {
  const std::string bytes = compressed(GetParam().second, long_text());
  const std::string name(name_of(GetParam().second));
  EXPECT_THAT(error_of(file(bytes.substr(0, bytes.size() / 2))),
              HasSubstr(name + " data is cut off"));
  EXPECT_THAT(error_of(file(bytes.substr(0, bytes.size() - 3))), HasSubstr("cut off"));
  EXPECT_THAT(error_of(file("no such data at all, and long enough")),
              HasSubstr("text" + std::string(GetParam().first)));
  std::string flipped = bytes;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x55);
  EXPECT_THAT(error_of(file(flipped)), HasSubstr("damaged"));
}

// A part that breaks off behind a whole one may be no such data at all; a first part is cut off.
TEST_P(CompressedText, IsSaidToBeFollowedBySomethingOnlyBehindAWholePart) {
  const Compression how = GetParam().second;
  const std::string bytes = compressed(how, long_text());
  const std::string half = bytes.substr(0, bytes.size() / 2);
  constexpr const char* kFollows = "cut off, or something else follows it";
  EXPECT_THAT(error_of(file(bytes + half)), HasSubstr(kFollows));
  if (how == Compression::xz) return;  // its library does not tell its parts
  EXPECT_THAT(error_of(file(half)), testing::Not(HasSubstr(kFollows)));
}

TEST_P(CompressedText, IsWrittenByTheEndingOfTheName) {
  const std::string path = file("");
  CompressedFile written(path);
  written.stream() << "a text";
  written.commit();
  EXPECT_EQ(all_of(InputStream(path)), "a text");
  EXPECT_NE(all_of(InputStream(path, Compression::none)), "a text");
}

TEST_P(CompressedText, CanBeReadFromAnyPlaceOnceItIsCopied) {
  const SeekableInput as_it_is(file(compressed(GetParam().second, "a text")));
  EXPECT_EQ(as_it_is.path(), file(compressed(GetParam().second, "a text")));
  const SeekableInput inflated(as_it_is.path(), Inflated::yes);
  EXPECT_EQ(all_of(InputStream(inflated.path())), "a text");
  EXPECT_EQ(all_of(InputStream(inflated.path())), "a text") << "once more";
}

INSTANTIATE_TEST_SUITE_P(All, CompressedText, ::testing::ValuesIn(kCompressedEndings),
                         [](const auto& test) { return std::string(name_of(test.param.second)); });

TEST(Compression, ZerosBehindGzipArePadding) {
  const std::string bytes = compressed(Compression::gzip, "text") + std::string(512, '\0');
  EXPECT_EQ(all_of(InputStream(file_with("a.gz", bytes))), "text");
}

TEST(Compression, FormatsAreToldByTheEndingBeforeIt) {
  EXPECT_EQ(format_ending("a/b.jsonl.gz"), ".jsonl");
  EXPECT_EQ(format_ending("b.conllu"), ".conllu");
  EXPECT_EQ(format_ending("gz"), "");
  EXPECT_EQ(uncompressed_name("x.txt.xz"), "x.txt");
  EXPECT_EQ(compression_of("x.txt"), Compression::none);
}

// The budget of reading bounds the bytes that are unpacked for it.
TEST(Compression, WhatInflatesBeyondTheBudgetIsRefused) {
  ::setenv("WEFT_READ_MIB", "1", 1);
  const std::string zeros(std::size_t{3} << 20, '0');
  std::string message;
  try {
    SeekableInput(file_with("zeros.gz", compressed(Compression::gzip, zeros)), Inflated::yes);
  } catch (const Error& error) {
    message = error.what();
  }
  // A decoder of xz alone takes more than that.
  const std::string xz = error_of(file_with("zeros.xz", compressed(Compression::xz, zeros)));
  ::unsetenv("WEFT_READ_MIB");
  EXPECT_THAT(message, HasSubstr("holds more than 1048576 bytes"));
  EXPECT_THAT(xz, HasSubstr("needs more memory"));
}

}  // namespace
}  // namespace weft
