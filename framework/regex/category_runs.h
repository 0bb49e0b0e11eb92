// The general category of every code point. The table is made by the build
// (cmake/category_runs.cc).
#pragma once

#include <span>

#include "registry/base/export.h"

namespace weft {

// A run of code points of one category: from `first` to before the next run, the last one to
// U+10FFFF.
struct CategoryRun {
  char32_t first = 0;
  unsigned char category = 0;  // a utf8proc_category_t
};

// From U+0000 on, in order.
WEFT_API std::span<const CategoryRun> category_runs();

}  // namespace weft
