#include "components/reserved/starter_blocks.h"

#include <utility>

#include "components/embedded_files.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::string_view kFile = "starter_blocks.json";

Object read() {
  std::optional<Node> blocks = parse_json(embedded_text(kFile).value());
  if (!blocks || !blocks->is_object()) {
    throw Error(ErrorKind::internal, std::string(kFile) + " is no JSON object");
  }
  return std::move(blocks->as_object());
}

}  // namespace

const Object& reserved_starter_blocks() {
  static const Object& blocks = *new Object(read());
  return blocks;
}

}  // namespace weft
