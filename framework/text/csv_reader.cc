#include "framework/text/csv_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/text/bounded_doc.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"

namespace weft {

namespace {

std::optional<bool> flag_in(const std::string& cell) {
  const std::string text = lower_case(cell);
  for (const char* yes : {"1", "1.0", "true", "yes"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"0", "0.0", "false", "no"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + printable_brief(name);
  return list;
}

constexpr std::array<std::string_view, 7> kLabelNames = {"label", "labels",    "category", "cat",
                                                         "class", "sentiment", "topic"};

// Whether a row that would be a label and a text names two columns: a text is hardly the name of a
// column of labels, nor a label that of a column of words.
bool names_columns(const std::vector<std::string>& row) {
  constexpr std::array<std::string_view, 6> kFirst = {"word",   "words", "token",
                                                      "tokens", "label", "labels"};
  const std::string first = lower_case(row[0]), second = lower_case(row[1]);
  return std::ranges::find(kFirst, first) != kFirst.end() ||
         std::ranges::find(kLabelNames, second) != kLabelNames.end();
}

}  // namespace

CsvReader::CsvReader(const std::string& file, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
                     CsvOptions options)
    : vocab_(std::move(vocab)),
      make_doc_(std::move(make_doc)),
      options_(std::move(options)),
      rows_(file, options_.format),
      budget_(file) {
  if (options_.header && !rows_.next(header_)) return;
  text_ = place_of(options_.text);
  if (options_.label) label_ = place_of(*options_.label);
  for (const CsvColumn& flag : options_.flags) {
    const int place = place_of(flag);
    flags_.push_back(place);
    const bool is_named = static_cast<std::size_t>(place) < header_.size();
    flag_names_.push_back(is_named ? header_[static_cast<std::size_t>(place)]
                                   : std::to_string(place + 1));
  }
}

int CsvReader::place_of(const CsvColumn& column) const {
  if (column.number > 0) return column.number - 1;
  if (!options_.header) {
    rows_.fail(
        fmt::format("the column \"{}\" has no name without a header; give its number, from 1",
                    printable_brief(column.name)));
  }
  const auto found = std::find(header_.begin(), header_.end(), column.name);
  if (found != header_.end()) return static_cast<int>(found - header_.begin());
  rows_.fail(
      fmt::format("no column is called \"{}\"; the first row has {}. Name another column, or "
                  "say that there is no header",
                  printable_brief(column.name), list_of(header_)));
}

const std::string& CsvReader::cell_at(int place) const {
  if (static_cast<std::size_t>(place) < cells_.size()) {
    return cells_[static_cast<std::size_t>(place)];
  }
  rows_.fail(fmt::format("the row has {} cells, column {} is missing", cells_.size(), place + 1));
}

void CsvReader::add_labels(const std::string& cell, std::vector<TextCategory>& cats) {
  constexpr std::uint64_t kLabel = 4 * sizeof(TextCategory);  // while the list grows
  std::string_view rest = cell;
  while (!rest.empty()) {
    const std::size_t end =
        options_.label_separator.empty() ? rest.npos : rest.find(options_.label_separator);
    const std::string_view label = trimmed(rest.substr(0, end));
    if (!label.empty()) {
      budget_.charge(kLabel + label.size(), "the labels of a row");
      cats.push_back({std::string(label), 1.0});
    }
    if (end == rest.npos) break;
    rest.remove_prefix(end + options_.label_separator.size());
  }
}

std::vector<TextCategory> CsvReader::cats_of_row() {
  budget_.release_to(0);
  std::vector<TextCategory> cats;
  if (label_ >= 0 && !trimmed(cell_at(label_)).empty()) {
    for (const std::string& label : options_.all_labels) cats.push_back({label, 0.0});
    add_labels(cell_at(label_), cats);
  }
  for (std::size_t i = 0; i < flags_.size(); ++i) {
    const std::string& cell = cell_at(flags_[i]);
    if (cell.empty()) continue;
    const auto flag = flag_in(cell);
    if (!flag) {
      rows_.fail(fmt::format("the cell \"{}\" of column \"{}\" is neither 1 nor 0",
                             printable_brief(cell), printable_brief(flag_names_[i])));
    }
    cats.push_back({flag_names_[i], *flag ? 1.0 : 0.0});
  }
  return cats;
}

// A delimiter inside of a text that has no quotes would cut the text and move the label.
void CsvReader::check_width() {
  if (width_ == 0) width_ = header_.empty() ? cells_.size() : header_.size();
  const auto extra = cells_.begin() + static_cast<long>(std::min(width_, cells_.size()));
  if (std::all_of(extra, cells_.end(), [](const std::string& cell) { return cell.empty(); })) {
    return;
  }
  rows_.fail(
      fmt::format("the row has {} cells, the first one {}; a text with the delimiter in it stands "
                  "between quotes",
                  cells_.size(), width_));
}

std::optional<Doc> CsvReader::next() {
  if (!rows_.next(cells_)) return std::nullopt;
  check_width();
  try {
    std::vector<TextCategory> cats = cats_of_row();
    Doc doc = bounded_doc(budget_, make_doc_, cell_at(text_));
    doc.set_cats(std::move(cats));
    return doc;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || error.place().line > 0) throw;
    rows_.fail(error.message());
  }
}

std::vector<std::string> csv_label_names() {
  return {kLabelNames.begin(), kLabelNames.end()};
}

// Looks at the first row alone. A cell "text" makes it a header; without one, two cells are a label
// and a text.
CsvOptions csv_options_for(const std::string& file, CsvFormat format) {
  CsvOptions options{.format = format};
  CsvRows rows(file, format);
  std::vector<std::string> first;
  if (!rows.next(first)) return options;
  const auto named = [&](std::string_view name) {
    const auto found = std::find_if(first.begin(), first.end(), [&](const std::string& cell) {
      return lower_case(cell) == name;
    });
    return found == first.end() ? 0 : static_cast<int>(found - first.begin()) + 1;
  };
  options.text = {.number = named("text")};
  if (options.text.number > 0) {
    options.label.reset();
    for (const std::string_view name : kLabelNames) {
      if (!options.label && named(name) > 0) options.label = CsvColumn{.number = named(name)};
    }
    return options;
  }
  if (first.size() != 2) {
    rows.fail(
        fmt::format("the first row has {} cells and none is \"text\": put a header with the "
                    "columns text and label above, or write rows of a label and a text",
                    first.size()));
  }
  if (names_columns(first)) {
    rows.fail(
        fmt::format("a header with the columns {}: those of texts and their labels are called text "
                    "and label, those of words and their tags word and tag (docs/data.md)",
                    list_of(first)));
  }
  options.header = false;
  options.label = CsvColumn{.number = 1};
  options.text = {.number = 2};
  return options;
}

}  // namespace weft
