#include "framework/pipeline/pattern_lines.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/text_lines.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

List read_pattern_lines(const std::filesystem::path& file) {
  TextLines lines({file.string()});
  const auto name = std::make_shared<const std::string>(file.string());
  List entries;
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
    entries.push_back(std::move(*entry));
  }
  return entries;
}

std::string pattern_lines(const List& entries) {
  std::string text;
  for (const Node& entry : entries) text += to_json(entry, JsonText::utf8) + "\n";
  return text;
}

std::string pattern_place(const Node& entry, std::size_t index) {
  const std::string place = entry.origin.str();
  return place.empty() ? fmt::format("pattern {}", index + 1) : place;
}

}  // namespace weft
