#include "tools/serve/request_head.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "registry/base/letter_case.h"

namespace weft::tools {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

// A percent sign is allowed in names, but the library would decode it.
bool is_name(std::string_view name) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           kMarks.find(letter) != std::string_view::npos;
  });
}

bool has_controls(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\t') || byte == 0x7F;
  });
}

bool is_number(std::string_view text) {
  constexpr std::size_t kDigits = 18;  // of a length that 64 bits hold
  return !text.empty() && text.size() <= kDigits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// The headers that say how long the body is.
struct Lengths {
  bool is_clear = true;
  int count = 0;

  void add(std::string_view line) {
    const std::size_t colon = line.find(':');
    is_clear &= colon != std::string_view::npos && is_name(line.substr(0, colon));
    if (!is_clear) return;
    const std::string name = lower_case(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    const bool is_length = name == "content-length", is_coding = name == "transfer-encoding";
    if (is_length) is_clear = is_number(value);
    if (is_coding) is_clear = value == "chunked";
    if (is_length || is_coding) ++count;
  }
};

}  // namespace

bool has_clear_end(std::string_view head) {
  const bool is_post = head.substr(0, 5) == "POST ";
  Lengths lengths;
  for (bool is_first = true; lengths.is_clear; is_first = false) {
    const std::size_t end = head.find(kLineEnd);
    if (end == std::string_view::npos || has_controls(head.substr(0, end))) return false;
    if (end == 0) break;
    if (!is_first) lengths.add(head.substr(0, end));
    head.remove_prefix(end + kLineEnd.size());
  }
  return lengths.is_clear && (is_post ? lengths.count == 1 : lengths.count <= 1);
}

}  // namespace weft::tools
