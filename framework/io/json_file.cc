#include "framework/io/json_file.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "registry/value/json_fault.h"

namespace weft {

Node read_json_file(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  if (std::optional<Node> value = parse_json(text)) return std::move(*value);
  const auto name = std::make_shared<const std::string>(file.string());
  if (const auto fault = json_fault(text)) {
    throw Error(ErrorKind::data, "no valid JSON", Origin::file(name, fault->line, fault->column));
  }
  throw Error(ErrorKind::data, "JSON that is too deep, or has too many values",
              Origin::file(name, 0, 0));
}

}  // namespace weft
