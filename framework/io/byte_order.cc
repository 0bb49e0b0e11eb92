#include "framework/io/byte_order.h"

#include <memory>

#include "registry/base/error.h"

namespace weft {

void refuse_utf16(std::string_view beginning, const std::string& file) {
  // Neither byte occurs anywhere in UTF-8.
  if (!beginning.starts_with("\xFF\xFE") && !beginning.starts_with("\xFE\xFF")) return;
  throw Error(ErrorKind::data,
              "this is text in UTF-16; `iconv -f UTF-16 -t UTF-8` makes UTF-8 of it, which is read",
              Origin::file(std::make_shared<const std::string>(file), 1, 0));
}

}  // namespace weft
