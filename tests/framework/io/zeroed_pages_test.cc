#include "framework/io/zeroed_pages.h"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

bool all_zero(const ZeroedPages& pages) {
  const char* bytes = static_cast<const char*>(pages.data());
  return std::all_of(bytes, bytes + pages.size(), [](char c) { return c == 0; });
}

TEST(ZeroedPages, AreZeroAtFirstAndAfterClear) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{5} << 20}) {
    ZeroedPages pages(size);
    EXPECT_EQ(pages.size(), size);
    EXPECT_TRUE(all_zero(pages));
    char* bytes = static_cast<char*>(pages.data());
    std::fill(bytes, bytes + size, 'x');
    EXPECT_FALSE(all_zero(pages));
    pages.clear();
    EXPECT_TRUE(all_zero(pages));
    bytes[size - 1] = 'y';
    EXPECT_FALSE(all_zero(pages));
  }
}

TEST(ZeroedPages, LargeOnesStartAtALargePage) {
  const ZeroedPages pages(std::size_t{3} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.data()) % (std::size_t{2} << 20), 0u);
}

TEST(ZeroedPages, MayBeEmptyButNotEndless) {
  EXPECT_EQ(ZeroedPages(0).size(), 0u);
  EXPECT_THROW(ZeroedPages(SIZE_MAX - 5), Error);
  EXPECT_THROW(ZeroedPages(SIZE_MAX / 2), Error);
}

}  // namespace
}  // namespace weft
