// The bytes of tar archives, read by the rules of POSIX ustar.
#include "framework/io/tar_writer.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t kBlock = 512;

std::string text_at(const std::string& block, std::size_t at, std::size_t most) {
  return block.substr(at, most).c_str();  // up to the first zero
}

// The sum over the header with blanks in the place of the sum itself.
unsigned sum_of(std::string header) {
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  return sum;
}

TEST(TarWriter, AFileIsAHeaderAndItsBytesInWholeBlocks) {
  std::ostringstream out;
  TarWriter tar(out);
  tar.add("a/b.txt", std::string(513, 'x'));
  tar.add("c", "");
  tar.finish();
  const std::string bytes = out.str();
  // A header and two blocks, a header alone, two blocks at the end.
  ASSERT_EQ(bytes.size(), 6 * kBlock);
  const std::string header = bytes.substr(0, kBlock);
  EXPECT_EQ(text_at(header, 0, 100), "a/b.txt");
  EXPECT_EQ(std::stoul(text_at(header, 124, 12), nullptr, 8), 513U);
  EXPECT_EQ(header[156], '0');
  EXPECT_EQ(header.substr(257, 8), std::string("ustar\00000", 8));
  EXPECT_EQ(std::stoul(text_at(header, 148, 8), nullptr, 8), sum_of(header));
  EXPECT_EQ(bytes.substr(kBlock, 513), std::string(513, 'x'));
  EXPECT_EQ(bytes.substr(kBlock + 513, 511), std::string(511, '\0'));
  EXPECT_EQ(text_at(bytes.substr(3 * kBlock), 0, 100), "c");
  EXPECT_EQ(bytes.substr(4 * kBlock), std::string(2 * kBlock, '\0'));
}

TEST(TarWriter, AFullBlockIsNotPadded) {
  std::ostringstream out;
  TarWriter tar(out);
  tar.add("a", std::string(kBlock, 'x'));
  EXPECT_EQ(out.str().size(), 2 * kBlock);
}

// Longer than the first field: the front goes to the prefix, without the '/' at the cut.
TEST(TarWriter, LongNamesAreCutAtAFolder) {
  const std::string folder(90, 'f'), file(50, 'g');
  std::ostringstream out;
  TarWriter tar(out);
  tar.add(folder + "/" + file, "");
  const std::string header = out.str();
  EXPECT_EQ(text_at(header, 0, 100), file);
  EXPECT_EQ(text_at(header, 345, 155), folder);
}

TEST(TarWriter, NamesOfAHundredBytesFitAndLongerPartsDoNot) {
  std::ostringstream out;
  TarWriter tar(out);
  tar.add(std::string(100, 'n'), "");
  EXPECT_EQ(out.str().substr(0, 100), std::string(100, 'n'));
  tar.add("d/" + std::string(100, 'n'), "");
  EXPECT_EQ(out.str().substr(kBlock, 100), std::string(100, 'n'));
  EXPECT_EQ(text_at(out.str().substr(kBlock), 345, 155), "d");
  const auto add = [&](const std::string& name) { return [&tar, name] { tar.add(name, ""); }; };
  EXPECT_THAT(add(std::string(101, 'n')), ThrowsMessage<Error>(HasSubstr("too long")));
  EXPECT_THAT(add("d/" + std::string(101, 'n')), ThrowsMessage<Error>(HasSubstr("too long")));
  EXPECT_THAT(add(std::string(156, 'd') + "/n"), ThrowsMessage<Error>(HasSubstr("too long")));
}

TEST(TarWriter, FilesGiveTheSameBytesAsTexts) {
  const std::string text(200'000, 'y');  // more than is read at once
  std::ostringstream from_text, from_file;
  TarWriter(from_text).add("a", text);
  TarWriter(from_file).add_file("a", file_with("y.txt", text));
  EXPECT_TRUE(from_text.str() == from_file.str());
}

}  // namespace
}  // namespace weft
