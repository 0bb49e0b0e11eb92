#include "framework/pipeline/pattern_lines.h"

#include <memory>

#include <fmt/format.h>

#include "framework/io/text_lines.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

void read_pattern_lines(const std::filesystem::path& file, const UsePattern& use) {
  TextLines lines({file.string()});
  const auto name = std::make_shared<const std::string>(file.string());
  std::size_t index = 0;
  int number = 0;
  while (const auto line = lines.next()) {
    ++number;
    if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
    auto entry = parse_json(*line);
    if (!entry || !entry->is_object()) {
      throw Error(ErrorKind::data,
                  fmt::format("{}:{}: the line is no JSON object, such as {{\"label\": \"ORG\", "
                              "\"pattern\": \"Acme\"}}",
                              *name, number));
    }
    entry->origin = Origin::file(name, number, 0);
    use(*entry, index++);
  }
}

std::string pattern_place(const Node& entry, std::size_t index) {
  const std::string place = entry.origin.str();
  return place.empty() ? fmt::format("pattern {}", index + 1) : place;
}

}  // namespace weft
