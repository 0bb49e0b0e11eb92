#include "tests/tools/comparable_logs.h"

#include <cmath>
#include <regex>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/framework/training/logs/decoded.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

bool depends_on_clock(std::string_view name) {
  return name == "seconds" || name.ends_with("speed") || name.starts_with("speed/") ||
         name == "words_per_second" || name.starts_with("_");
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::string of_csv(const std::string& contents) {
  std::istringstream in(contents);
  std::string line, text;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  for (std::size_t row = 0; std::getline(in, line); ++row) {
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (depends_on_clock(names[i])) continue;
      text += fmt::format("{}={} ", names[i], i < cells.size() ? cells[i] : "");
    }
    text += '\n';
  }
  return text;
}

std::string of_events(const std::string& contents) {
  std::string text;
  for (const auto& event : testing_logs::events_in(contents)) {
    if (!event.has(5)) continue;
    for (const auto& value : event.message(5).messages(1)) {
      const std::string tag = value.one(1).bytes;
      if (!value.has(2) || depends_on_clock(tag)) continue;
      text += fmt::format("{} {} {}\n", event.one(2).integer, tag, value.one(2).as_float());
    }
  }
  return text;
}

std::string of_wandb(const std::string& contents) {
  std::string text;
  if (contents.empty()) return text;  // its process ended when the file was just made
  for (const auto& record : testing_logs::wandb_records_in(contents)) {
    if (!record.has(2)) continue;
    for (const auto& item : record.message(2).messages(1)) {
      std::string name;
      for (const auto& part : item.all(2)) name += "." + part.bytes;
      name.erase(0, 1);
      if (!depends_on_clock(name) || name == "_step") {
        text += fmt::format("{} {}\n", name, item.one(16).bytes);
      }
    }
  }
  return text;
}

}  // namespace

std::optional<ComparableLog> comparable_log(const fs::path& name, const std::string& contents) {
  static const std::regex in_run("mlruns/0/[0-9a-f]{32}/(.*)");
  std::smatch found;
  const std::string path = name.string();
  if (name.extension() == ".csv") return {{name, of_csv(contents)}};
  if (path.find("tfevents") != path.npos) return {{name, of_events(contents)}};
  if (name.extension() == ".wandb") return {{"wandb", of_wandb(contents)}};
  if (path.find("mlruns") == path.npos) return std::nullopt;
  if (!std::regex_search(path, found, in_run) || depends_on_clock(name.filename().string())) {
    return {{name, ""}};
  }
  if (found[1] == "meta.yaml") return {{name, ""}};
  static const std::regex time("(^|\n)[0-9]{13} ");
  return {{"mlruns/" + found[1].str(), std::regex_replace(contents, time, "$1")}};
}

}  // namespace weft::testing_tools
