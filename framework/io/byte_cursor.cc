#include "framework/io/byte_cursor.h"

#include <memory>

#include "registry/base/error.h"

namespace weft {

ByteCursor::~ByteCursor() = default;

void ByteCursor::fail(const std::string& message) const {
  throw Error(ErrorKind::data, message, Origin::file(std::make_shared<std::string>(name_), 0, 0));
}

void ByteCursor::require_end() {
  if (!at_end()) fail("bytes follow the end of the data");
}

std::string_view MemoryCursor::take(std::uint64_t size) {
  if (size > bytes_.size() - position_) {
    fail("the data ends " + std::to_string(size - (bytes_.size() - position_)) +
         " bytes too early");
  }
  const std::string_view taken = bytes_.substr(position_, size);
  position_ += size;
  return taken;
}

}  // namespace weft
