#include "tools/config_overview.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/value/json.h"
#include "registry/variables/interpolate.h"

namespace weft::tools {
namespace {

using Row = std::array<std::string, 4>;

void print_rows(const std::vector<Row>& rows) {
  std::array<std::size_t, 4> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

// The selectors of a section: `@architectures`, and `factory` of a component.
void collect_functions(const Object& section, const std::string& path, const Catalogue& catalogue,
                       std::vector<Row>& rows) {
  for (const auto& [key, node] : section) {
    const std::string inner = path.empty() ? key : path + "." + key;
    if (node.is_object()) collect_functions(node.as_object(), inner, catalogue, rows);
    const bool is_factory = key == "factory" && path.starts_with("components.");
    if (!node.is_string() || !(is_factory || key.starts_with('@'))) continue;
    const std::string kind = is_factory ? "factories" : key.substr(1);
    const Function* function = catalogue.find(kind, node.as_string());
    rows.push_back({kind, printable_brief(node.as_string()), "[" + printable_brief(path) + "]",
                    function == nullptr ? "" : printable_brief(function->library())});
  }
}

}  // namespace

void print_functions(const Config& values, const Catalogue& catalogue) {
  std::vector<Row> rows;
  collect_functions(values.root(), "", catalogue, rows);
  print_rows(rows);
}

void print_variables(const Config& config, const Config& values) {
  std::vector<Row> rows;
  for (const std::string& name : variables_in(config)) {
    std::string path = name;
    std::ranges::replace(path, ':', '.');
    const Node* value = values.find(path);
    if (value == nullptr) continue;  // told where the config is checked
    rows.push_back(
        {printable_brief(name), printable_brief(to_json(*value)), value->origin.str(), ""});
  }
  print_rows(rows);
}

}  // namespace weft::tools
