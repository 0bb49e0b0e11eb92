#include "framework/training/score_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/score_weights.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"

namespace weft {
namespace {

constexpr std::size_t kLongestTitle = 13;
constexpr std::size_t kMostScores = 40;  // columns; the log in lines of JSON has all

// A title that is too long is cut between characters, never within the bytes of one, and ends in
// dots.
std::string title_of(const std::string& score) {
  std::string name = printable_brief(score);
  if (name.size() > kLongestTitle) {
    name.resize(kLongestTitle - 3);
    name.resize(name.size() - unfinished_bytes(name));
    name += "...";
  }
  return upper_case(name);
}

// Scores lie between 0 and 1 and are shown as per cents; the speed is words per second and stays as
// it is.
double shown_score(const std::string& name, const Scores& scores) {
  const Node* score = scores.find(name);
  if (score == nullptr || score->is_null()) return 0.0;
  if (score->is_object() || score->is_list() || score->is_string()) {
    throw Error(ErrorKind::usage,
                fmt::format("the score '{}' is {}, so it cannot have a weight or a column in "
                            "[training.score_weights]: set it to null there",
                            name, score->type_name()));
  }
  return number_or_zero(*score) * (is_fraction(name) ? 100.0 : 1.0);
}

// The number with two decimals, or what is left of it where that takes more columns than there are:
// fewer decimals, then a power of ten.
std::string number_in(std::size_t width, double number, int decimals) {
  std::string text;
  for (; decimals >= 0; --decimals) {
    text = fmt::format("{:.{}f}", number, decimals);
    if (text.size() <= width) return text;
  }
  for (int digits = static_cast<int>(width); digits >= 0; --digits) {
    text = fmt::format("{:.{}e}", number, digits);
    if (text.size() <= width) return text;
  }
  return text;
}

// Thousands or millions where the digits take more columns than there are.
std::string count_in(std::size_t width, std::int64_t count) {
  std::string text = std::to_string(count);
  for (const char* unit : {"k", "M", "G", "T", "P", "E"}) {
    if (text.size() <= width) break;
    count /= 1000;
    text = std::to_string(count) + unit;
  }
  return text;
}

}  // namespace

ScoreTable::ScoreTable(std::vector<std::string> loss_names, std::vector<std::string> score_names)
    : loss_names_(std::move(loss_names)), score_names_(std::move(score_names)) {
  const auto add = [&](const std::string& name, std::size_t width) {
    titles_.push_back(title_of(name));
    widths_.push_back(std::max(titles_.back().size(), width));
  };
  if (score_names_.size() > kMostScores) score_names_.resize(kMostScores);
  add("E", 3);
  add("#", 6);
  for (const std::string& name : loss_names_) add("Loss " + name, 8);
  for (const std::string& name : score_names_) add(name, 6);
  add("Score", 6);
  add("WPS", 7);
}

std::string ScoreTable::header() const {
  std::string names;
  std::string rule;
  for (std::size_t i = 0; i < titles_.size(); ++i) {
    const char* gap = i == 0 ? "" : "  ";
    names += fmt::format("{}{:<{}}", gap, titles_[i], widths_[i]);
    rule += fmt::format("{}{:-<{}}", gap, "", widths_[i]);
  }
  return names + '\n' + rule + '\n';
}

std::string ScoreTable::row(const TrainingInfo& info) const {
  std::vector<std::string> cells = {count_in(widths_[0], info.epoch),
                                    count_in(widths_[1], info.step)};
  const auto add = [&](double number, int decimals) {
    cells.push_back(number_in(widths_[cells.size()], number, decimals));
  };
  for (const std::string& name : loss_names_) {
    const auto loss = info.losses.find(name);
    add(loss == info.losses.end() ? 0.0 : loss->second, 2);
  }
  for (const std::string& name : score_names_) {
    add(shown_score(name, info.other_scores), 2);
  }
  add(info.score, 2);
  add(info.words_per_second, 0);
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", cells[i], widths_[i]);
  }
  return line + '\n';
}

}  // namespace weft
