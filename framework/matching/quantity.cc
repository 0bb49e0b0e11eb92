#include "framework/matching/quantity.h"

#include <charconv>

namespace weft {
namespace {

std::optional<std::uint32_t> parse_count(std::string_view digits) {
  std::uint32_t count = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  const auto [stop, fault] = std::from_chars(digits.data(), end, count);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return count;
}

// The text between the braces.
std::optional<Quantity> parse_range(std::string_view inside) {
  const std::size_t comma = inside.find(',');
  if (comma == inside.npos) {
    const auto count = parse_count(inside);
    return count ? std::optional(Quantity{*count, count}) : std::nullopt;
  }
  const std::string_view low = inside.substr(0, comma), high = inside.substr(comma + 1);
  const auto min = parse_count(low), max = parse_count(high);
  if ((!min && !low.empty()) || (!max && !high.empty()) || (!min && !max)) return std::nullopt;
  if (min && max && *min > *max) return std::nullopt;
  return Quantity{min.value_or(0), max};
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
  return op != "1" && parse_quantity(op).has_value();
}

}  // namespace weft
