#include "framework/tagging/refusal.h"

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {

void refuse_token(const Example& example, const Doc& doc, int token, std::string_view what) {
  const std::string place = example.place().str();
  throw Error(ErrorKind::data,
              fmt::format("{}token {} (\"{}\"): {}", place.empty() ? "" : place + ", ", token + 1,
                          printable_brief(doc.word(token)), what));
}

}  // namespace weft
