#include "registry/base/foreign_exception.h"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

template <class Thrown>
std::optional<std::string> words_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return foreign_words();
  }
}

TEST(ForeignException, HasItsWordsOrNone) {
  EXPECT_EQ(words_of(std::runtime_error("boom")), "boom");
  EXPECT_EQ(words_of(7), std::nullopt);
}

TEST(ForeignException, ErrorsAndFullMemoryPassThrough) {
  EXPECT_THROW(words_of(Error(ErrorKind::data, "ours")), Error);
  EXPECT_THROW(words_of(std::bad_alloc()), std::bad_alloc);
}

}  // namespace
}  // namespace weft
