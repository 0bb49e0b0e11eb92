#include "framework/matching/quantity.h"

#include <algorithm>
#include <charconv>

namespace weft {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\v\f";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Whether `text` is a whole number of at most nine digits, with blanks around it and a sign, as
// Python's int() takes it; puts it into `count`.
bool parse_count(std::string_view text, int& count) {
  const std::size_t start = text.find_first_not_of(kBlanks);
  if (start == text.npos) return false;
  text = text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (!is_digits(text) || text.size() > 9) return false;
  std::from_chars(text.data(), text.data() + text.size(), count);
  if (negative) count = -count;
  return true;
}

// The text between the braces. spaCy takes blanks beside one of two numbers, not beside both, and
// judges n > m where neither number has any: then {2, 1} is as {2}.
std::optional<Quantity> parse_range(std::string_view inside) {
  const std::size_t comma = inside.find(',');
  const std::string_view low = inside.substr(0, comma);
  const std::string_view high = comma == inside.npos ? low : inside.substr(comma + 1);
  const bool plain_low = is_digits(low), plain_high = is_digits(high);
  if (!plain_low && !plain_high) return std::nullopt;
  int min = 0, max = 0;
  if (!low.empty() && !parse_count(low, min)) return std::nullopt;
  if (!high.empty() && !parse_count(high, max)) return std::nullopt;
  if (plain_low && plain_high && min > max) return std::nullopt;
  const int least = std::max(0, min);
  if (high.empty()) return Quantity{static_cast<std::uint32_t>(least), std::nullopt};
  const int most = least + std::max(0, max - min);
  return Quantity{static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(most)};
}

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view op) {
  if (op == "1") return Quantity{1, 1};
  if (op == "!") return Quantity{1, 1, true};
  if (op == "?") return Quantity{0, 1};
  if (op == "*") return Quantity{0, std::nullopt};
  if (op == "+") return Quantity{1, std::nullopt};
  if (op.size() < 2 || op.front() != '{' || op.back() != '}') return std::nullopt;
  return parse_range(op.substr(1, op.size() - 2));
}

bool is_checked_quantity(std::string_view op) {
  return op != "1" && op.find_first_of(kBlanks) == op.npos &&
         op.find_first_of("+-", 1) == op.npos && parse_quantity(op).has_value();
}

}  // namespace weft
