#include "framework/unicode/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <utf8proc.h>

namespace weft {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Assigned in Unicode 15: to Python 3.11 these are unassigned.
constexpr Range kNewerThan14[] = {
    {0xCF3, 0xCF3},     {0xECE, 0xECE},     {0x10EFD, 0x10EFF}, {0x1123F, 0x11241},
    {0x11B00, 0x11B09}, {0x11F00, 0x11F10}, {0x11F12, 0x11F3A}, {0x11F3E, 0x11F59},
    {0x1342F, 0x1342F}, {0x13439, 0x13455}, {0x1B132, 0x1B132}, {0x1B155, 0x1B155},
    {0x1D2C0, 0x1D2D3}, {0x1DF25, 0x1DF2A}, {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F},
    {0x1E4D0, 0x1E4F9}, {0x1F6DC, 0x1F6DC}, {0x1F774, 0x1F776}, {0x1F77B, 0x1F77F},
    {0x1F7D9, 0x1F7D9}, {0x1FA75, 0x1FA77}, {0x1FA87, 0x1FA88}, {0x1FAAD, 0x1FAAF},
    {0x1FABB, 0x1FABD}, {0x1FABF, 0x1FABF}, {0x1FACE, 0x1FACF}, {0x1FADA, 0x1FADB},
    {0x1FAE8, 0x1FAE8}, {0x1FAF7, 0x1FAF8}, {0x2B739, 0x2B739}, {0x31350, 0x323AF}};

// Numeric type Digit outside category Nd.
constexpr Range kOtherDigit[] = {
    {0xB2, 0xB3},       {0xB9, 0xB9},       {0x1369, 0x1371},   {0x19DA, 0x19DA},
    {0x2070, 0x2070},   {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2460, 0x2468},
    {0x2474, 0x247C},   {0x2488, 0x2490},   {0x24EA, 0x24EA},   {0x24F5, 0x24FD},
    {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},   {0x278A, 0x2792},
    {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A}};

// Uppercase outside category Lu, Lowercase outside category Ll.
constexpr Range kOtherUpper[] = {
    {0x2160, 0x216F}, {0x24B6, 0x24CF}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};
constexpr Range kOtherLower[] = {
    {0xAA, 0xAA},       {0xBA, 0xBA},       {0x2B0, 0x2B8},     {0x2C0, 0x2C1},    {0x2E0, 0x2E4},
    {0x345, 0x345},     {0x37A, 0x37A},     {0x1D2C, 0x1D6A},   {0x1D78, 0x1D78},  {0x1D9B, 0x1DBF},
    {0x2071, 0x2071},   {0x207F, 0x207F},   {0x2090, 0x209C},   {0x2170, 0x217F},  {0x24D0, 0x24E9},
    {0x2C7C, 0x2C7D},   {0xA69C, 0xA69D},   {0xA770, 0xA770},   {0xA7F8, 0xA7F9},  {0xAB5C, 0xAB5F},
    {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107B0}, {0x107B2, 0x107BA}};

// Case_Ignorable by their role in word breaking rather than by category.
constexpr Range kOtherCaseIgnorable[] = {
    {0x27, 0x27},     {0x2E, 0x2E},     {0x3A, 0x3A},     {0xB7, 0xB7},
    {0x387, 0x387},   {0x55F, 0x55F},   {0x5F4, 0x5F4},   {0x2018, 0x2019},
    {0x2024, 0x2024}, {0x2027, 0x2027}, {0xFE13, 0xFE13}, {0xFE52, 0xFE52},
    {0xFE55, 0xFE55}, {0xFF07, 0xFF07}, {0xFF0E, 0xFF0E}, {0xFF1A, 0xFF1A}};

bool contains(std::span<const Range> ranges, char32_t code_point) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code_point,
                       [](char32_t c, const Range& range) { return c < range.first; });
  return after != ranges.begin() && code_point <= std::prev(after)->last;
}

using Categories = std::uint32_t;  // one bit per utf8proc category
constexpr Categories bit(int category) {
  return Categories{1} << category;
}
constexpr Categories kLetter = bit(UTF8PROC_CATEGORY_LU) | bit(UTF8PROC_CATEGORY_LL) |
                               bit(UTF8PROC_CATEGORY_LT) | bit(UTF8PROC_CATEGORY_LM) |
                               bit(UTF8PROC_CATEGORY_LO);
constexpr Categories kPunctuation = bit(UTF8PROC_CATEGORY_PC) | bit(UTF8PROC_CATEGORY_PD) |
                                    bit(UTF8PROC_CATEGORY_PS) | bit(UTF8PROC_CATEGORY_PE) |
                                    bit(UTF8PROC_CATEGORY_PI) | bit(UTF8PROC_CATEGORY_PF) |
                                    bit(UTF8PROC_CATEGORY_PO);
// Signs such as + and $ are symbols, not punctuation.
constexpr std::string_view kAsciiPunctuation = "!\"#%&'()*,-./:;?@[\\]_{}";
constexpr Categories kCaseIgnorable = bit(UTF8PROC_CATEGORY_MN) | bit(UTF8PROC_CATEGORY_ME) |
                                      bit(UTF8PROC_CATEGORY_CF) | bit(UTF8PROC_CATEGORY_LM) |
                                      bit(UTF8PROC_CATEGORY_SK);

// The library's tables may be newer than Unicode 14; code points that came later count as
// unassigned.
bool has_category(char32_t code_point, Categories wanted) {
  const int category = utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->category;
  return (bit(category) & wanted) != 0 && !contains(kNewerThan14, code_point);
}

bool is_cased(char32_t code_point) {
  return is_upper(code_point) || is_lower(code_point) || is_title(code_point);
}

// Whether the capital sigma that starts at byte `pos` ends a word.
// The condition Final_Sigma of the Unicode standard, section 3.13: a cased letter stands before it,
// and none behind it, where case-ignorable characters are passed over.
bool is_final_sigma(std::string_view text, std::size_t pos) {
  std::size_t before = pos;
  bool cased = false;
  while (before > 0) {
    const char32_t c = previous_code_point(text, before);
    if (is_case_ignorable(c)) continue;
    cased = is_cased(c);
    break;
  }
  if (!cased) return false;
  std::size_t after = pos + 2;
  while (after < text.size()) {
    const char32_t c = next_code_point(text, after);
    if (!is_case_ignorable(c)) return !is_cased(c);
  }
  return true;
}

// Two code points need more than the simple mapping: the capital sigma depends on its place, and
// U+0130 becomes two.
std::string lower_beyond_ascii(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    const char32_t c = next_code_point(text, pos);
    if (c == 0x3A3) {
      append_utf8(result, is_final_sigma(text, start) ? 0x3C2 : 0x3C3);
    } else if (c == 0x130) {
      result += "i\u0307";
    } else {
      append_utf8(result, simple_lower(c));
    }
  }
  return result;
}

}  // namespace

// The loop has no branch, so that the compiler can look at many bytes at a time.
bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

std::size_t byte_offset(std::string_view text, std::size_t index) {
  std::size_t pos = 0;
  while (index > 0 && pos < text.size()) {
    next_code_point(text, pos);
    --index;
  }
  return pos;
}

void append_utf8(std::string& text, char32_t code_point) {
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
    return;
  }
  std::array<utf8proc_uint8_t, 4> bytes;
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

bool is_alpha(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return has_category(c, kLetter);
}

bool is_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return has_category(c, bit(UTF8PROC_CATEGORY_ND)) || contains(kOtherDigit, c);
}

bool is_upper(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  return has_category(c, bit(UTF8PROC_CATEGORY_LU)) || contains(kOtherUpper, c);
}

bool is_lower(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return has_category(c, bit(UTF8PROC_CATEGORY_LL)) || contains(kOtherLower, c);
}

bool is_title(char32_t c) {
  return c >= 0x80 && has_category(c, bit(UTF8PROC_CATEGORY_LT));
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return kAsciiPunctuation.find(static_cast<char>(c)) != std::string_view::npos;
  return has_category(c, kPunctuation);
}

bool is_currency_sign(char32_t c) {
  if (c < 0x80) return c == '$';
  return has_category(c, bit(UTF8PROC_CATEGORY_SC));
}

bool is_case_ignorable(char32_t c) {
  return has_category(c, kCaseIgnorable) || contains(kOtherCaseIgnorable, c);
}

char32_t simple_lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  if (contains(kNewerThan14, c)) return c;
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

std::string lower(std::string_view text) {
  if (!is_ascii(text)) return lower_beyond_ascii(text);
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return result;
}

bool is_space(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    if (!is_space(next_code_point(text, pos))) return false;
  }
  return !text.empty();
}

}  // namespace weft
