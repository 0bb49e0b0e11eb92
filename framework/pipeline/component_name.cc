#include "framework/pipeline/component_name.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kLongest = 64;  // code points; four bytes each still leave room for `.json`

// The files of a pipeline's folder, and those that a packaged one has beside them. Names with a dot
// (`meta.json`) are none of a component anyway.
constexpr std::array<std::string_view, 4> kReserved = {"vocab", "tokenizer", "license",
                                                       "licenses_sources"};

bool is_name_char(char32_t point) {
  return is_alpha(point) || is_digit(point) || point == '_' || point == '-';
}

bool is_reserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), lower(name)) != kReserved.end();
}

}  // namespace

std::string fault_of_component_name(std::string_view name) {
  if (name.empty()) return "is no name of a component: it is empty";
  if (find_invalid_utf8(name)) return "is no name of a component: it is not UTF-8";
  if (count_code_points(name) > kLongest) {
    return fmt::format("is no name of a component: it is longer than {} characters", kLongest);
  }
  for (std::size_t at = 0; at < name.size();) {
    if (!is_name_char(next_code_point(name, at))) {
      return "is no name of a component: it has other characters than letters, digits, `_` and "
             "`-`";
    }
  }
  if (name.front() == '-') return "is no name of a component: it begins with `-`";
  if (is_reserved(name))
    return "is no name of a component: a pipeline's folder has files so called";
  return "";
}

std::string similar_component_name(std::string_view name) {
  std::string similar;
  if (find_invalid_utf8(name)) return "";
  bool gap = false;
  for (std::size_t at = 0; at < name.size() && similar.size() < kLongest;) {
    const char32_t point = next_code_point(name, at);
    if (!is_name_char(point) || (similar.empty() && point == '-')) {
      gap = !similar.empty();
      continue;
    }
    if (gap) similar += '_';
    gap = false;
    append_utf8(similar, point);
  }
  if (is_reserved(similar)) similar = "my_" + similar;
  return fault_of_component_name(similar).empty() ? similar : "";
}

bool same_component_folder(std::string_view left, std::string_view right) {
  return left == right || lower(left) == lower(right);
}

bool names_contain(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::filesystem::path component_path(const std::filesystem::path& folder, std::string_view name) {
  const std::string fault = fault_of_component_name(name);
  if (fault.empty()) return folder / name;
  throw Error(ErrorKind::config, fmt::format("{} {}", to_json_string(name), fault));
}

}  // namespace weft
