#include "framework/text/records/record_texts.h"

#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "framework/io/file_limits.h"
#include "framework/io/text_beginning.h"
#include "registry/base/error.h"

namespace weft {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Whether a file that begins so holds a list of records. A line that is a list begins with a text.
bool begins_list(std::string_view bytes) {
  const auto first_mark = [&] {
    const std::size_t at = bytes.find_first_not_of(" \t\r\n");
    const char mark = at == bytes.npos ? '\0' : bytes[at];
    bytes.remove_prefix(at == bytes.npos ? bytes.size() : at + 1);
    return mark;
  };
  if (first_mark() != '[') return false;
  const char inside = first_mark();
  return inside == '{' || inside == '[' || inside == ']' || inside == '\0';
}

// Whether an object begins on the first line and its first key stands on a later one, as in a file
// that was printed for people to read.
bool is_spread(std::string_view bytes) {
  const std::size_t mark = bytes.find_first_not_of(" \t\r\n");
  if (mark == bytes.npos || bytes[mark] != '{') return false;
  const std::size_t key = bytes.find_first_not_of(" \t\r\n", mark + 1);
  return key != bytes.npos && bytes[key] == '"' &&
         bytes.substr(mark, key - mark).find('\n') != bytes.npos;
}

// Follows the bytes of one JSON value to its end.
class ValueEnd {
 public:
  // True where `c` is the last byte of an object, a list or a text.
  bool take(char c) {
    if (in_text_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        in_text_ = false;
        return depth_ == 0;
      }
      return false;
    }
    if (c == '"') in_text_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    return (c == '}' || c == ']') && depth_ <= 0;
  }
  // Whether `c` parts a number or a word from what follows.
  bool is_behind(char c) const {
    return depth_ == 0 && !in_text_ && (c == ',' || c == ']' || c == '}' || is_blank(c));
  }

 private:
  bool in_text_ = false;
  bool is_escaped_ = false;
  int depth_ = 0;
};

}  // namespace

RecordTexts::RecordTexts(const std::string& file) : file_(file), lines_(file, kLongestTextLine) {}

void RecordTexts::fail(const std::string& message) {
  is_broken_ = true;
  throw Error(ErrorKind::data, message,
              Origin::file(std::make_shared<const std::string>(file_), at_line_, 0));
}

void RecordTexts::begin() {
  has_begun_ = true;
  if (lines_.peek().starts_with(kByteOrderMark)) lines_.skip(kByteOrderMark.size());
  is_list_ = begins_list(lines_.peek());
  if (is_list_) next_mark();
  if (!is_list_ && is_spread(lines_.peek())) {
    fail(
        "a record that goes on in the next line: records stand on one line each, or in one list; "
        "`jq -c .` makes such lines, `jq -c '.KEY[]'` of a list under a key");
  }
}

bool RecordTexts::next(std::string& text) {
  if (!has_begun_) begin();
  text.clear();
  return is_list_ ? next_element(text) : next_line(text);
}

bool RecordTexts::next_line(std::string& text) {
  const bool any = lines_.next(text);
  if (any) ++line_;
  return any;
}

char RecordTexts::next_mark() {
  while (true) {
    const std::string_view bytes = lines_.peek();
    if (bytes.empty()) return '\0';
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      if (bytes[at] == '\n') ++at_line_;
      if (is_blank(bytes[at])) continue;
      const char mark = bytes[at];
      lines_.skip(at + 1);
      return mark;
    }
    lines_.skip(bytes.size());
  }
}

bool RecordTexts::next_element(std::string& text) {
  if (has_ended_ || is_broken_) return false;
  char mark = next_mark();
  if (!is_first_ && mark == ',') {
    mark = next_mark();
    if (mark == ']') fail("no valid JSON: a comma before the end of the list");
  } else if (!is_first_ && mark != ']' && mark != '\0') {
    fail(fmt::format("no valid JSON: a comma or the end of the list is expected, not '{}'", mark));
  }
  is_first_ = false;
  if (mark == '\0') fail("no valid JSON: the list of records does not end");
  if (mark == ']') {
    has_ended_ = true;
    if (next_mark() != '\0') fail("no valid JSON: there is something behind the list of records");
    return false;
  }
  if (mark == ',') fail("no valid JSON: two commas without a record between them");
  line_ = at_line_;
  text += mark;
  take_element(text);
  return true;
}

void RecordTexts::take_element(std::string& text) {
  ValueEnd end;
  if (end.take(text.front())) return;
  while (true) {
    const std::string_view bytes = lines_.peek();
    if (bytes.empty()) fail("no valid JSON: the list of records does not end");
    std::size_t at = 0;
    bool is_done = false;
    for (; at < bytes.size() && !is_done; ++at) {
      if (end.is_behind(bytes[at])) break;
      if (bytes[at] == '\n') ++at_line_;
      is_done = end.take(bytes[at]);
    }
    if (text.size() + at > kLongestTextLine) fail("a record of more than 64 MiB");
    text += bytes.substr(0, at);
    const bool is_parted = at < bytes.size() && !is_done;
    lines_.skip(at);
    if (is_done || is_parted) return;
  }
}

}  // namespace weft
