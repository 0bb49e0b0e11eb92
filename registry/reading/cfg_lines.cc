#include "registry/reading/cfg_lines.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "registry/base/unicode.h"
#include "registry/reading/config_limits.h"

namespace weft {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The name in a header line, or an empty view if the line is none: from the first bracket to the
// last closing one.
std::string_view header_name(std::string_view line) {
  if (!line.starts_with('[')) return {};
  const auto close = line.rfind(']');
  return close == std::string_view::npos || close < 2 ? std::string_view()
                                                      : line.substr(1, close - 1);
}

std::string bad_line_text(std::string_view content) {
  if (content[0] == ']' || content[0] == '}') {
    return "every further line of a value must be indented, the closing bracket as well";
  }
  if (content[0] == '[') return "the closing bracket of the section's name is missing";
  return "neither a [section], nor `key = value`, nor an indented continuation";
}

class LineReader {
 public:
  LineReader(std::string_view text, LineEnds ends, std::shared_ptr<const std::string> name,
             Problems& problems)
      : rest_(text), ends_(ends), name_(std::move(name)), problems_(problems) {}

  RawFile run() {
    while (!stopped_ && !rest_.empty()) {
      const std::string_view line = next_line();
      if (++number_ > kMostConfigLines) {
        limit(fmt::format("the file has more than {} lines", kMostConfigLines));
      } else if (line.size() > kLongestLine) {
        limit(fmt::format("the line is longer than {} MiB", kLongestLine >> 20));
      } else {
        take(line);
      }
    }
    finish_value();
    file_.trailing_comments = std::move(comments_);
    return std::move(file_);
  }

 private:
  std::string_view next_line() {
    const auto end = rest_.find_first_of(ends_ == LineEnds::universal ? "\n\r" : "\n");
    const std::string_view line = rest_.substr(0, end);
    if (end == std::string_view::npos) {
      rest_ = {};
    } else {
      rest_.remove_prefix(end + (rest_.substr(end).starts_with("\r\n") ? 2 : 1));
    }
    return line;
  }

  // The rules of Python's configparser: a line that is indented more than the key goes on with its
  // value, empty lines within a value belong to it, and comments have lines of their own.
  void take(std::string_view line) {
    const std::string_view content = strip(line);
    if (content.empty()) {
      if (in_value_) ++empty_lines_;
      return;
    }
    if (content[0] == '#' || content[0] == ';') {
      comments_.emplace_back(content);
      return;
    }
    const int indent = static_cast<int>(leading_blanks(line).count);
    if (in_value_ && indent > indent_) return continue_value(content, indent);
    indent_ = indent;
    if (const std::string_view name = header_name(content); !name.empty()) {
      start_section(name, indent);
    } else if (file_.sections.empty()) {
      before_first_section(content, indent);
    } else {
      key_or_bad_line(content, indent);
    }
  }

  void start_section(std::string_view name, int indent) {
    finish_value();
    in_value_ = false;
    file_.sections.push_back({name, number_, indent + 1, {}, std::exchange(comments_, {})});
  }

  void key_or_bad_line(std::string_view content, int indent) {
    // The first of either sign separates, as in configparser; values may hold more of them.
    const auto separator = content.find_first_of("=:");
    const std::string_view key = strip_right(content.substr(0, separator));
    if (separator == std::string_view::npos) {
      bad_line(indent, bad_line_text(content));
    } else if (key.empty()) {
      bad_line(indent, "there is no key before the separator");
    } else {
      start_value(key, content, separator, indent);
    }
  }

  void start_value(std::string_view key, std::string_view content, std::size_t separator,
                   int indent) {
    finish_value();
    const std::string_view after = content.substr(separator + 1);
    const std::size_t blanks = leading_blanks(after).bytes;
    RawEntry entry;
    entry.key = key;
    entry.value = after.substr(blanks);
    entry.line = entry.value_line = number_;
    entry.key_column = indent + 1;
    entry.value_column =
        indent + 1 + static_cast<int>(count_code_points(content.substr(0, separator + 1 + blanks)));
    entry.comments = std::exchange(comments_, {});
    file_.sections.back().entries.push_back(std::move(entry));
    in_value_ = true;
  }

  void continue_value(std::string_view content, int indent) {
    RawEntry& entry = file_.sections.back().entries.back();
    if (entry.value.empty() && empty_lines_ == 0) {
      entry.value_line = number_;
      entry.value_column = indent + 1;
    }
    entry.value.append(static_cast<std::size_t>(std::exchange(empty_lines_, 0)) + 1, '\n');
    entry.value += content;
    // A comment between the lines of a value belongs to that value.
    std::move(comments_.begin(), comments_.end(), std::back_inserter(entry.comments));
    comments_.clear();
  }

  void finish_value() {
    empty_lines_ = 0;  // those at the end of a value are dropped
  }

  void before_first_section(std::string_view content, int indent) {
    std::string message = "there is no [section] above this line";
    if (number_ == 1 && content.starts_with(kByteOrderMark)) {
      message = "the file starts with a byte order mark; save it as UTF-8 without one";
    } else if (content.starts_with('{')) {
      message += "; JSON is no config";
    }
    bad_line(indent, message);
    stopped_ = true;
  }

  void bad_line(int indent, const std::string& message) {
    add(ProblemKind::parse, indent + 1, message);
  }

  void limit(const std::string& message) {
    add(ProblemKind::limit, 1, message);
    stopped_ = true;
  }

  void add(ProblemKind kind, int column, const std::string& message) {
    Problem problem;
    problem.kind = kind;
    problem.place = Origin::file(name_, number_, column);
    problem.message = message;
    problems_.push_back(std::move(problem));
  }

  std::string_view rest_;
  LineEnds ends_;
  std::shared_ptr<const std::string> name_;
  Problems& problems_;
  RawFile file_;
  std::vector<std::string> comments_;  // waiting for the key or header below them
  int number_ = 0;
  int indent_ = 0;
  int empty_lines_ = 0;
  bool in_value_ = false;
  bool stopped_ = false;
};

}  // namespace

bool report_invalid_utf8(std::string_view text, const std::shared_ptr<const std::string>& name,
                         Problems& problems) {
  const auto bad = find_invalid_utf8(text);
  if (!bad) return false;
  const std::string_view before = text.substr(0, *bad);
  const auto line_start = before.rfind('\n') + 1;
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto column = count_code_points(before.substr(line_start)) + 1;
  Problem problem;
  problem.kind = ProblemKind::parse;
  problem.place = Origin::file(name, static_cast<int>(line), static_cast<int>(column));
  problem.message = fmt::format("the byte 0x{:02X} is not valid UTF-8 here",
                                static_cast<unsigned char>(text[*bad]));
  problems.push_back(std::move(problem));
  return true;
}

RawFile split_lines(std::string_view text, LineEnds ends,
                    const std::shared_ptr<const std::string>& name, Problems& problems) {
  if (report_invalid_utf8(text, name, problems)) return {};
  return LineReader(text, ends, name, problems).run();
}

}  // namespace weft
