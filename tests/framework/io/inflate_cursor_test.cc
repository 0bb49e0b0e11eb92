#include "framework/io/inflate_cursor.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "framework/io/deflate_sections.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>('a' + random() % 8);
  return bytes;
}

TEST(InflateCursor, CopiesGoOnFromWhereTheyWere) {
  const std::string bytes = noise(3'000'000, 1);
  DeflateStream stream;
  stream.add(bytes);
  const std::string path = file_with("noise", stream.finish());
  InflateCursor cursor(path);
  cursor.skip(10);
  InflateCursor early = cursor;
  cursor.skip(2'000'000);
  InflateCursor late = cursor;
  EXPECT_EQ(early.take(1000), bytes.substr(10, 1000));
  EXPECT_EQ(late.take(900'000), bytes.substr(2'000'010, 900'000));
  EXPECT_EQ(early.take(1'500'000), bytes.substr(1010, 1'500'000));
  early = late;
  EXPECT_EQ(early.position(), 2'900'010u);
  EXPECT_EQ(early.take(5), bytes.substr(2'900'010, 5));
  EXPECT_EQ(cursor.position(), 2'000'010u);
  EXPECT_FALSE(late.at_end());
  EXPECT_THROW(late.take(100'000), Error);
  EXPECT_THROW(cursor.skip(2'000'000), Error);
}

// Copies taken anywhere, in every block of the stream, give the same bytes to the end.
TEST(InflateCursor, CopiesReachTheEnd) {
  const std::string bytes = noise(1'200'000, 2) + std::string(600'000, 'x');
  DeflateStream stream;
  stream.add(bytes);
  InflateCursor cursor(file_with("copies", stream.finish()));
  constexpr std::size_t kStep = 97'001;
  for (std::size_t at = 0; at + kStep < bytes.size(); at += kStep) {
    InflateCursor copy = cursor;
    ASSERT_EQ(copy.take(bytes.size() - at), bytes.substr(at));
    EXPECT_TRUE(copy.at_end());
    cursor.skip(kStep);
  }
}

TEST(InflateCursor, RefusesWhatIsNoZlib) {
  EXPECT_THROW(InflateCursor("/no/such/file"), Error);
  EXPECT_THROW(InflateCursor(file_with("text", "plain text")), Error);
  EXPECT_THROW(InflateCursor(file_with("empty", "")), Error);
  EXPECT_THROW(InflateCursor("/"), Error);
  DeflateStream stream;
  stream.add(noise(1000, 1));
  std::string bytes = stream.finish() + "more";
  InflateCursor cursor(file_with("more", bytes));
  cursor.skip(1000);
  EXPECT_TRUE(cursor.at_end()) << "bytes behind the stream are ignored";
  bytes[bytes.size() - 5] ^= 1;
  EXPECT_THROW(InflateCursor(file_with("sum", bytes)), Error) << "checksum";
}

}  // namespace
}  // namespace weft
