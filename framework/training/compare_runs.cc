#include "framework/training/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/score_weights.h"
#include "framework/text/printable.h"
#include "framework/training/run_progress.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kLongestCell = 32;
constexpr std::size_t kMostScores = 12;     // columns
constexpr std::size_t kMostSettings = 200;  // rows

using Settings = std::map<std::string, std::string>;

void flatten(const Object& object, const std::string& prefix, Settings& settings) {
  for (const auto& [key, node] : object) {
    if (node.is_object()) {
      flatten(node.as_object(), prefix + key + ".", settings);
    } else {
      settings[prefix + key] = to_json(node);
    }
  }
}

Settings settings_of(const RunSummary& run) {
  Settings settings;
  flatten(run.config.root(), "", settings);
  return settings;
}

bool is_seed(const std::string& path) {
  return path == "training.seed" || path == "system.seed";
}

using Row = std::vector<std::string>;

std::string table_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      line += fmt::format("{:<{}}  ", rows[r][i], widths[i]);
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
    if (r > 0) continue;
    std::size_t columns = 0;
    for (const std::size_t width : widths) columns += width + 2;
    text += std::string(columns - 2, '-') + '\n';
  }
  return text;
}

std::string cell(const std::string& text) {
  return shortened(printable_brief(text), kLongestCell);
}

// The scores that the runs are shown by: those with a weight that is not null, in any of them.
std::vector<std::string> score_names(std::span<const RunSummary> runs) {
  std::vector<std::string> names;
  for (const RunSummary& run : runs) {
    const Node* weights = run.config.find("training.score_weights");
    if (weights == nullptr || !weights->is_object()) continue;
    for (const auto& [name, weight] : weights->as_object()) {
      const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
      if (is_new && !weight.is_null() && names.size() < kMostScores) names.push_back(name);
    }
  }
  return names;
}

std::string score_cell(const RunSummary& run, const std::string& name) {
  const Node* score = run.log.best ? run.log.best->scores.find(name) : nullptr;
  return score == nullptr || score->is_null() ? "-" : fmt::format("{:.4f}", number_or_zero(*score));
}

std::string score_table(std::span<const RunSummary> runs) {
  const std::vector<std::string> names = score_names(runs);
  Row head = {"RUN", "BEST", "STEP"};
  for (const std::string& name : names) head.push_back(cell(name));
  for (const char* title : {"LAST", "STEPS", "TIME", "WORDS/S", "ENDED"}) head.emplace_back(title);
  std::vector<Row> rows = {std::move(head)};
  for (const RunSummary& run : runs) {
    Row row = {printable_brief(run.folder.string())};
    const auto& best = run.log.best;
    const auto& last = run.log.last;
    row.push_back(best ? fmt::format("{:.4f}", best->score) : "-");
    row.push_back(best ? std::to_string(best->step) : "-");
    for (const std::string& name : names) row.push_back(score_cell(run, name));
    row.push_back(last ? fmt::format("{:.4f}", last->score) : "-");
    row.push_back(run.steps >= 0 ? std::to_string(run.steps) : "-");
    row.push_back(last ? duration_text(last->seconds) : "-");
    row.push_back(last && last->seconds > 0
                      ? fmt::format("{:.0f}", static_cast<double>(last->words) / last->seconds)
                      : "-");
    row.push_back(run.goes_on ? "running" : run.ended.empty() ? "killed" : cell(run.ended));
    rows.push_back(std::move(row));
  }
  return table_of(rows);
}

std::string setting_table(std::span<const RunSummary> runs) {
  const std::vector<DifferingSetting> differing = differing_settings(runs);
  if (differing.empty()) return "the settings are the same\n";
  std::vector<Row> rows = {{"SETTING"}};
  for (const RunSummary& run : runs) rows[0].push_back(cell(run.folder.string()));
  for (const DifferingSetting& setting :
       std::span(differing).first(std::min(differing.size(), kMostSettings))) {
    Row row = {printable_brief(setting.path)};
    for (const std::string& value : setting.values)
      row.push_back(value.empty() ? "-" : cell(value));
    rows.push_back(std::move(row));
  }
  std::string table = table_of(rows);
  if (differing.size() > kMostSettings) {
    table +=
        fmt::format("... and {} settings more; --json has all\n", differing.size() - kMostSettings);
  }
  return table;
}

std::string names_of(const SeedGroup& group, std::span<const RunSummary> runs) {
  std::string names;
  for (const std::size_t run : group.runs) {
    names += (names.empty() ? "" : ", ") + printable_brief(runs[run].folder.string());
  }
  return names;
}

}  // namespace

std::vector<DifferingSetting> differing_settings(std::span<const RunSummary> runs) {
  std::vector<Settings> all;
  std::set<std::string> paths;
  for (const RunSummary& run : runs) {
    all.push_back(settings_of(run));
    for (const auto& [path, value] : all.back()) paths.insert(path);
  }
  std::vector<DifferingSetting> differing;
  for (const std::string& path : paths) {
    DifferingSetting setting{path, {}};
    for (const Settings& settings : all) {
      const auto found = settings.find(path);
      setting.values.push_back(found == settings.end() ? "" : found->second);
    }
    const bool same = std::all_of(setting.values.begin(), setting.values.end(),
                                  [&](const auto& value) { return value == setting.values[0]; });
    if (!same) differing.push_back(std::move(setting));
  }
  return differing;
}

// Runs that agree in all settings but seeds form a group; one that agrees in the seed too is the
// same run and would make the deviation look smaller than it is.
std::vector<SeedGroup> seed_groups(std::span<const RunSummary> runs) {
  std::map<Settings, std::size_t> known;
  std::set<Settings> seen;
  std::vector<SeedGroup> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].log.best) continue;
    Settings settings = settings_of(runs[i]);
    if (!seen.insert(settings).second) continue;  // the same run again, the seed as well
    std::erase_if(settings, [](const auto& setting) { return is_seed(setting.first); });
    const auto [place, is_new] = known.try_emplace(std::move(settings), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].runs.push_back(i);
  }
  std::erase_if(groups, [](const SeedGroup& group) { return group.runs.size() < 2; });
  for (SeedGroup& group : groups) {
    const auto count = static_cast<double>(group.runs.size());
    for (const std::size_t run : group.runs) group.mean += runs[run].log.best->score / count;
    double squares = 0.0;
    for (const std::size_t run : group.runs) {
      squares += std::pow(runs[run].log.best->score - group.mean, 2);
    }
    // The standard deviation of a sample: with n runs the squares are divided by n - 1.
    group.deviation = std::sqrt(squares / (count - 1.0));
  }
  return groups;
}

std::string compare_text(std::span<const RunSummary> runs) {
  std::string text = score_table(runs) + '\n' + setting_table(runs);
  const std::vector<SeedGroup> groups = seed_groups(runs);
  if (!groups.empty()) text += '\n';
  for (const SeedGroup& group : groups) {
    text += fmt::format("{} runs that differ in seed alone: best score {:.4f} +- {:.4f} ({})\n",
                        group.runs.size(), group.mean, group.deviation, names_of(group, runs));
  }
  return text;
}

Object compare_object(std::span<const RunSummary> runs) {
  List all;
  for (const RunSummary& run : runs) {
    Object one = describe_run(run);
    if (run.log.last) one.set("seconds", run.log.last->seconds);
    one.set("ended", run.ended);
    all.emplace_back(std::move(one));
  }
  Object settings;
  for (const DifferingSetting& setting : differing_settings(runs)) {
    List values;
    for (const std::string& value : setting.values) {
      auto parsed = value.empty() ? std::optional<Node>(Node()) : parse_json(value);
      values.push_back(parsed ? std::move(*parsed) : Node(value));
    }
    settings.set(setting.path, std::move(values));
  }
  List groups;
  for (const SeedGroup& group : seed_groups(runs)) {
    List names;
    for (const std::size_t run : group.runs) names.emplace_back(runs[run].folder.string());
    Object one;
    one.set("runs", std::move(names));
    one.set("mean", group.mean);
    one.set("deviation", group.deviation);
    groups.emplace_back(std::move(one));
  }
  Object object;
  object.set("runs", std::move(all));
  object.set("settings", std::move(settings));
  object.set("seeds", std::move(groups));
  return object;
}

}  // namespace weft
