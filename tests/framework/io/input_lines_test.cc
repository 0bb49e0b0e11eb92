#include "framework/io/input_lines.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> all(const std::string& file, std::size_t longest = 100) {
  InputLines lines(file, longest);
  std::vector<std::string> read;
  for (std::string line; lines.next(line);) {
    read.push_back(line);
    EXPECT_EQ(lines.number(), static_cast<std::int64_t>(read.size()));
  }
  return read;
}

TEST(InputLines, EndAtLineFeedsAndAtTheEndOfTheFile) {
  EXPECT_THAT(all(file_with("a", "one\n\ntwo\r\nthree")), ElementsAre("one", "", "two\r", "three"));
  EXPECT_THAT(all(file_with("b", "one\n")), ElementsAre("one"));
  EXPECT_THAT(all(file_with("c", "\n\n")), ElementsAre("", ""));
  EXPECT_THAT(all(file_with("d", "")), ElementsAre());
}

TEST(InputLines, AreWholeWhereTheySpanPiecesOfTheFile) {
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t size = 1; size < 300'000; size *= 3) {
    expected.emplace_back(size, static_cast<char>('a' + size % 26));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(all(file_with("a", text), 1'000'000), expected);
}

TEST(InputLines, ALineThatIsTooLongIsPlacedAndTheLastOne) {
  const std::string file = file_with("a", "short\n" + std::string(101, 'x') + "\nshort\n");
  InputLines lines(file, 100);
  std::string line;
  EXPECT_TRUE(lines.next(line));
  try {
    lines.next(line);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.place().line, 2);
    EXPECT_THAT(error.what(), HasSubstr("a line of more than 0 MiB"));
  }
  EXPECT_FALSE(lines.next(line));
  EXPECT_THAT(all(file_with("b", std::string(100, 'x') + "\n")),
              ElementsAre(std::string(100, 'x')));
}

TEST(InputLines, ADeviceWithoutLinesEnds) {
  std::string line;
  EXPECT_THROW(InputLines("/dev/zero", std::size_t{1} << 20).next(line), Error);
}

}  // namespace
}  // namespace weft
