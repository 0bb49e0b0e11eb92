#include "framework/pipeline/byte_size.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "registry/base/letter_case.h"

namespace weft {
namespace {

struct Unit {
  std::string_view name;  // in small letters
  double bytes;
};
constexpr std::array kUnits = {Unit{"b", 1.0},      Unit{"kb", 1e3},     Unit{"mb", 1e6},
                               Unit{"gb", 1e9},     Unit{"tb", 1e12},    Unit{"kib", 0x1p10},
                               Unit{"mib", 0x1p20}, Unit{"gib", 0x1p30}, Unit{"tib", 0x1p40}};

double bytes_of_unit(std::string_view unit) {
  const std::string small = lower_case(unit);
  for (const Unit& known : kUnits) {
    if (known.name == small) return known.bytes;
  }
  return 0.0;
}

}  // namespace

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const double bytes = number * bytes_of_unit(unit);
  if (!std::isfinite(bytes) || bytes < 1.0 || bytes >= 0x1p62) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::string FieldConversion<ByteSize>::fault(const Node& text) {
  if (parse_byte_size(text.as_string())) return "";
  return fmt::format("\"{}\" is no amount of memory; write it as \"2GB\", \"500MB\" or \"1.5GiB\"",
                     text.as_string());
}

ByteSize FieldConversion<ByteSize>::from_node(const Node& text) {
  return {parse_byte_size(text.as_string()).value_or(0)};
}

std::string byte_size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.{}f} MB", bytes / 1e6, bytes < 1e7 ? 1 : 0);
  return fmt::format("{:.2f} GB", bytes / 1e9);
}

}  // namespace weft
