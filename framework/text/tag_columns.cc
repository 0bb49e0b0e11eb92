#include "framework/text/tag_columns.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

// Names in headers, in lower case; the first that is there counts.
constexpr std::array<std::string_view, 5> kWordNames = {"word", "token", "words", "tokens", "form"};
constexpr std::array<std::string_view, 11> kTagNames = {
    "ner_tag", "ner_tags", "ner", "tag", "tags", "label", "labels", "iob", "bio", "entity", "ne"};
constexpr std::array<std::string_view, 4> kPosNames = {"pos", "pos_tag", "upos", "xpos"};
constexpr std::array<std::string_view, 7> kSentenceNames = {
    "sentence #", "sentence", "sentence_id", "sent_id", "sentence_idx", "sent", "sentence id"};

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::data, message);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

std::string name_of(std::string_view cell) {
  return lower_case(trimmed(cell));
}

// "O", "-", "B-PER": what the tag of a token looks like.
bool looks_like_tag(std::string_view cell) {
  if (cell == "O" || cell == "-" || cell == "_") return true;
  return cell.size() > 2 && cell[1] == '-' && std::string_view("BILUES").find(cell[0]) != cell.npos;
}

std::optional<std::size_t> column_of(const std::vector<std::string>& header,
                                     std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  }
  return std::nullopt;
}

// Cells of a line between `separator`; those in quotes are put together in `unquoted`, which has
// room for the line.
void split_quoted(std::string_view line, char separator, std::vector<std::string_view>& cells,
                  std::string& unquoted) {
  while (true) {
    if (!line.starts_with('"')) {
      const std::size_t end = line.find(separator);
      cells.push_back(line.substr(0, end));
      if (end == line.npos) return;
      line.remove_prefix(end + 1);
      continue;
    }
    const std::size_t start = unquoted.size();
    std::size_t at = 1;
    for (; at < line.size(); ++at) {
      if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
      if (line[at] == '"') ++at;
      unquoted += line[at];
    }
    if (at == line.size()) fail("a cell in quotes that does not end on its line");
    cells.push_back(std::string_view(unquoted).substr(start));
    line.remove_prefix(at + 1);
    if (line.empty()) return;
    if (line.front() != separator) fail("something stands behind a cell in quotes");
    line.remove_prefix(1);
  }
}

std::vector<std::string> names_in(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  std::string unquoted;
  unquoted.reserve(line.size());
  split_quoted(line, separator, cells, unquoted);
  std::vector<std::string> names;
  names.reserve(cells.size());
  for (const std::string_view cell : cells) names.push_back(name_of(cell));
  return names;
}

bool is_header(const std::vector<std::string>& names) {
  return column_of(names, kWordNames) && column_of(names, kTagNames);
}

// Whether one of several columns has a name of those that are known.
bool names_one(const std::vector<std::string>& header) {
  return header.size() > 1 && (column_of(header, kWordNames) || column_of(header, kTagNames) ||
                               column_of(header, kSentenceNames));
}

// Of a header that names words or tags, but not both.
[[noreturn]] void refuse_header(std::string_view line, const std::vector<std::string>& names) {
  const bool has_word = column_of(names, kWordNames).has_value();
  const auto known = has_word ? std::vector<std::string>(kTagNames.begin(), kTagNames.end())
                              : std::vector<std::string>(kWordNames.begin(), kWordNames.end());
  std::string near;
  for (const std::string& name : names) {
    if (near.empty()) near = suggestion(name, known);
  }
  const bool has_text = std::find(names.begin(), names.end(), "text") != names.end();
  fail(
      fmt::format("a header \"{}\" without a column of {}; {}{}", printable_brief(line),
                  has_word ? "tags" : "words",
                  near.empty() ? "its name may be " + join_or(known) : "did you mean " + near + "?",
                  has_text ? "; texts with labels are read by --converter tsv, or csv" : ""));
}

bool is_header_line(std::string_view line, char separator) {
  try {
    return is_header(names_in(line, separator));
  } catch (const Error&) {
    return false;  // quotes that are words
  }
}

// A comma where the line has as many as semicolons or more.
char comma_of(std::string_view line) {
  const auto commas = std::count(line.begin(), line.end(), ',');
  return std::count(line.begin(), line.end(), ';') > commas ? ';' : ',';
}

// The separator of cells of a file with this first line; '\0' for tabs or spaces.
char separator_of(std::string_view line, std::string_view file) {
  if (line.find('\t') != line.npos) return '\0';
  const char comma = comma_of(line);
  if (line.find(comma) == line.npos) return '\0';
  const bool has_spaces = trimmed(line).find(' ') != line.npos;
  if (file.ends_with(".csv") || !has_spaces || is_header_line(line, comma)) return comma;
  return '\0';
}

}  // namespace

TagColumns::TagColumns(std::string_view first_line, std::string_view file)
    : separator_(separator_of(first_line, file)) {
  split(first_line);
  std::vector<std::string> names;
  for (const std::string_view cell : cells_) names.push_back(name_of(cell));
  const bool may_be_header = separator_ != '\0' || file.ends_with(".tsv");
  if (is_header(names)) {
    take_header(names);
    if (first_line.find('\t') != first_line.npos) separator_ = '\t';
  } else if (may_be_header && names_one(names) && !looks_like_tag(trimmed(cells_.back()))) {
    refuse_header(first_line, names);
  }
}

void TagColumns::take_header(const std::vector<std::string>& names) {
  header_ = names.size();
  word_ = *column_of(names, kWordNames);
  tag_ = *column_of(names, kTagNames);
  pos_ = column_of(names, kPosNames);
  sentence_ = column_of(names, kSentenceNames);
}

void TagColumns::split(std::string_view line) {
  cells_.clear();
  unquoted_.clear();
  if (separator_ == ',' || separator_ == ';') {
    unquoted_.reserve(line.size());
    return split_quoted(line, separator_, cells_, unquoted_);
  }
  const bool tabs = separator_ == '\t' || line.find('\t') != line.npos;
  while (true) {
    const std::size_t end = line.find(tabs ? '\t' : ' ');
    const std::string_view part = line.substr(0, end);
    if (tabs || !part.empty()) cells_.push_back(part);
    if (end == line.npos) return;
    line.remove_prefix(end + 1);
  }
}

TagRow TagColumns::row(std::string_view line) {
  // Blanks at the end are no further column, and those around a cell no part of it: spaCy splits at
  // any.
  const bool is_plain = header_ == 0 && separator_ == '\0';
  split(is_plain ? line.substr(0, line.find_last_not_of(" \t\r") + 1) : line);
  const std::size_t count = cells_.size();
  const char* columns = count == 1 ? "column" : "columns";
  if (header_ > 0 && count != header_) {
    fail(fmt::format("a line with {} {}; the header has {}", count, columns, header_));
  }
  if (header_ == 0 && (count < 2 || count > 4)) {
    fail(
        fmt::format("a line with {} {}; a word and its tag with at most two columns between them "
                    "were expected",
                    count, columns));
  }
  if (columns_ != 0 && count != columns_) {
    fail(fmt::format("a line with {} {} after lines with {}", count, columns, columns_));
  }
  TagRow row;
  if (header_ > 0) {
    row.word = cells_[word_];
    row.tag = trimmed(cells_[tag_]);
    if (pos_) row.pos = trimmed(cells_[*pos_]);
    if (sentence_) row.sentence = trimmed(cells_[*sentence_]);
  } else {
    row.word = is_plain ? trimmed(cells_.front()) : cells_.front();
    row.tag = trimmed(cells_.back());
    if (count > 2) row.pos = trimmed(cells_[1]);
  }
  if (row.word.empty()) fail("a line without a word");
  columns_ = count;
  return row;
}

bool TagColumns::is_blank(std::string_view line) const {
  const std::string_view marks = separator_ == ','   ? " \t\r,"
                                 : separator_ == ';' ? " \t\r;"
                                                     : " \t\r";
  return line.find_first_not_of(marks) == line.npos;
}

bool looks_like_tag_csv(std::string_view first_line) {
  const char comma = comma_of(first_line);
  const std::size_t last = first_line.rfind(comma);
  if (first_line.find('\t') != first_line.npos || last == first_line.npos) return false;
  return is_header_line(first_line, comma) || looks_like_tag(trimmed(first_line.substr(last + 1)));
}

}  // namespace weft
