#include "framework/io/deflate_sections.h"

#include <string>

#include <gtest/gtest.h>

#include "framework/io/inflate_cursor.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

// Texts that differ: letters in steps of `seed`.
std::string letters(std::size_t size, unsigned seed) {
  std::string bytes(size, 'a');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i * (seed + 1) % 23);
  return bytes;
}

TEST(Deflate, SectionsStandOneAfterTheOther) {
  DeflateSection first;
  DeflateSection second;
  std::string expected_first;
  std::string expected_second;
  for (unsigned i = 0; i < 200; ++i) {
    const std::string a = letters(i * 13, i);
    const std::string b = letters(i * 7, i + 1000);
    first.append(a);
    second.append(b);
    expected_first += a;
    expected_second += b;
  }
  EXPECT_EQ(first.size(), expected_first.size());
  DeflateStream stream;
  stream.add("head");
  stream.add(first);
  stream.add("");
  stream.add(second);
  EXPECT_EQ(first.size(), 0u);
  InflateCursor cursor(file_with("sections", stream.finish()));
  EXPECT_EQ(cursor.take(4), "head");
  EXPECT_EQ(cursor.take(expected_first.size()), expected_first);
  EXPECT_EQ(cursor.take(expected_second.size()), expected_second);
  EXPECT_TRUE(cursor.at_end()) << "the checksum was right";
}

}  // namespace
}  // namespace weft
