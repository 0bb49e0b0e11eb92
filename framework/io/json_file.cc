#include "framework/io/json_file.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "framework/io/atomic_file.h"
#include "framework/io/file_limits.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "registry/value/json_fault.h"

namespace weft {

Node json_from_file(const std::string& text, const std::filesystem::path& file) {
  if (std::optional<Node> value = parse_json(text)) return std::move(*value);
  const auto name = std::make_shared<const std::string>(file.string());
  if (text.starts_with("\xEF\xBB\xBF")) {
    throw Error(ErrorKind::data, "JSON begins without a byte order mark", Origin::file(name, 1, 1));
  }
  if (const auto fault = json_fault(text)) {
    throw Error(ErrorKind::data, "no valid JSON", Origin::file(name, fault->line, fault->column));
  }
  throw Error(ErrorKind::data, "JSON that is too deep, or has too many values",
              Origin::file(name, 0, 0));
}

Node read_json_file(const std::filesystem::path& file) {
  return json_from_file(read_file(file), file);
}

Object read_json_object(const std::filesystem::path& file) {
  Node value = json_from_file(read_file(file, kMostSettings), file);
  if (value.is_object()) return std::move(value.as_object());
  throw Error(ErrorKind::data, "not a JSON object",
              Origin::file(std::make_shared<const std::string>(file.string()), 0, 0));
}

}  // namespace weft
