// Byte offsets of many code points of one long text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Looks at the text once when it is made, and at up to 256 code points for each question, where
// `byte_offset` (unicode.h) counts from the start each time.
class WEFT_API CodePointIndex {
 public:
  // `text` is valid UTF-8 and outlives this.
  explicit CodePointIndex(std::string_view text);

  // The byte offset of code point number `index`; the text's size if it has no more than that many.
  std::size_t byte(std::size_t index) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> marks_;  // of every 256th code point
};

}  // namespace weft
