#include "framework/precision/rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fnmatch.h>

namespace weft {
namespace {

constexpr std::array<std::string_view, 3> compute_names = {"auto", "f32", "low"};

Notice wrong_rule(std::size_t index, const std::string& text) {
  return {"", Severity::error, fmt::format("precision: rule {}: {}", index + 1, text), "rules"};
}

std::optional<PrecisionRule> read_rule(const PrecisionSettings::Rule& rule, std::size_t index,
                                       Notices& notices) {
  for (const auto& [key, _] : rule) {
    if (key == "match" || key == "compute") continue;
    notices.push_back(wrong_rule(index, fmt::format("unknown key \"{}\"", key)));
    return {};
  }
  const auto match = rule.find("match");
  const auto compute = rule.find("compute");
  if (match == rule.end() || compute == rule.end()) {
    notices.push_back(wrong_rule(index, "both match and compute are needed"));
    return {};
  }
  const auto name = std::find(compute_names.begin(), compute_names.end(), compute->second);
  if (name == compute_names.end()) {
    notices.push_back(
        wrong_rule(index, fmt::format("compute is f32, low or auto, not \"{}\"", compute->second)));
    return {};
  }
  return PrecisionRule{match->second, static_cast<Compute>(name - compute_names.begin())};
}

}  // namespace

std::string_view name_of(Compute compute) {
  return compute_names[static_cast<std::size_t>(compute)];
}

std::vector<PrecisionRule> read_rules(const std::vector<PrecisionSettings::Rule>& rules,
                                      Notices& notices) {
  std::vector<PrecisionRule> read;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (auto rule = read_rule(rules[i], i, notices)) read.push_back(std::move(*rule));
  }
  return read;
}

const PrecisionRule* find_rule(const std::vector<PrecisionRule>& rules, const std::string& path) {
  const auto found = std::find_if(rules.rbegin(), rules.rend(), [&](const PrecisionRule& rule) {
    return fnmatch(rule.match.c_str(), path.c_str(), 0) == 0;
  });
  return found == rules.rend() ? nullptr : &*found;
}

}  // namespace weft
