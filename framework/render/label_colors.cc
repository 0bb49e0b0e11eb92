#include "framework/render/label_colors.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"

namespace weft {
namespace {

// More labels than that share the last colour: a hostile file may have a million.
constexpr std::size_t kMostLabels = 10'000;

constexpr std::array<const char*, 12> kOthers = {"#ffd6e0", "#c1e7ff", "#d4f0c0", "#ffe0b5",
                                                 "#e3d4ff", "#b8f2e6", "#fff3b0", "#ffc9c9",
                                                 "#cfd8f6", "#e2f0a0", "#f6cfee", "#d9d3c3"};

bool is_color(std::string_view text) {
  return (text.size() == 4 || text.size() == 7) && text.front() == '#' &&
         std::all_of(text.begin() + 1, text.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

LabelColors::LabelColors()
    : colors_{{"ORG", "#7aecec"},      {"PRODUCT", "#bfeeb7"},     {"GPE", "#feca74"},
              {"LOC", "#ff9561"},      {"PERSON", "#aa9cfc"},      {"NORP", "#c887fb"},
              {"FAC", "#9cc9cc"},      {"EVENT", "#ffeb80"},       {"LAW", "#ff8197"},
              {"LANGUAGE", "#ff8197"}, {"WORK_OF_ART", "#f0d0ff"}, {"DATE", "#bfe1d9"},
              {"TIME", "#bfe1d9"},     {"MONEY", "#e4e7d2"},       {"QUANTITY", "#e4e7d2"},
              {"ORDINAL", "#e4e7d2"},  {"CARDINAL", "#e4e7d2"},    {"PERCENT", "#e4e7d2"}} {}

const std::string& LabelColors::of(std::string_view label) {
  static const std::string& last = *new std::string("#ddd");
  const std::string name = upper_case(label);
  const auto found = colors_.find(name);
  if (found != colors_.end()) return found->second;
  if (given_ >= kMostLabels) return last;
  return colors_[name] = kOthers[given_++ % kOthers.size()];
}

void LabelColors::set(std::string_view label, const std::string& color) {
  if (!is_color(color)) {
    throw Error(ErrorKind::usage,
                fmt::format("the colour of {} is written like #7aecec, and not '{}'",
                            printable_brief(label), printable_brief(color)));
  }
  colors_[upper_case(label)] = color;
}

}  // namespace weft
