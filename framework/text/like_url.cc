#include "framework/text/like_url.h"

#include <algorithm>
#include <array>
#include <vector>

#include "framework/regex/code_point_set.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 274> kTopLevelDomains = {
    "ac",  "ad",     "ae",   "aero", "af",  "ag",  "ai",   "al",     "am",   "an",  "ao",  "aq",
    "ar",  "as",     "asia", "at",   "au",  "aw",  "ax",   "az",     "ba",   "bb",  "bd",  "be",
    "bf",  "bg",     "bh",   "bi",   "biz", "bj",  "bm",   "bn",     "bo",   "br",  "bs",  "bt",
    "bv",  "bw",     "by",   "bz",   "ca",  "cat", "cc",   "cd",     "cf",   "cg",  "ch",  "ci",
    "ck",  "cl",     "cm",   "cn",   "co",  "com", "coop", "cr",     "cs",   "cu",  "cv",  "cx",
    "cy",  "cz",     "dd",   "de",   "dj",  "dk",  "dm",   "do",     "dz",   "ec",  "edu", "ee",
    "eg",  "eh",     "er",   "es",   "et",  "eu",  "fi",   "fj",     "fk",   "fm",  "fo",  "fr",
    "ga",  "gb",     "gd",   "ge",   "gf",  "gg",  "gh",   "gi",     "gl",   "gm",  "gn",  "gov",
    "gp",  "gq",     "gr",   "gs",   "gt",  "gu",  "gw",   "gy",     "hk",   "hm",  "hn",  "hr",
    "ht",  "hu",     "icu",  "id",   "ie",  "il",  "im",   "in",     "info", "int", "io",  "iq",
    "ir",  "is",     "it",   "je",   "jm",  "jo",  "jobs", "jp",     "ke",   "kg",  "kh",  "ki",
    "km",  "kn",     "kp",   "kr",   "kw",  "ky",  "kz",   "la",     "lb",   "lc",  "li",  "lk",
    "lr",  "ls",     "lt",   "lu",   "lv",  "ly",  "ma",   "mc",     "md",   "me",  "mg",  "mh",
    "mil", "mk",     "ml",   "mm",   "mn",  "mo",  "mobi", "mp",     "mq",   "mr",  "ms",  "mt",
    "mu",  "museum", "mv",   "mw",   "mx",  "my",  "mz",   "na",     "name", "nc",  "ne",  "net",
    "nf",  "ng",     "ni",   "nl",   "no",  "np",  "nr",   "nu",     "nz",   "om",  "org", "pa",
    "pe",  "pf",     "pg",   "ph",   "pk",  "pl",  "pm",   "pn",     "pr",   "pro", "ps",  "pt",
    "pw",  "py",     "qa",   "re",   "ro",  "rs",  "ru",   "rw",     "sa",   "sb",  "sc",  "sd",
    "se",  "sg",     "sh",   "si",   "sj",  "sk",  "sl",   "sm",     "sn",   "so",  "sr",  "ss",
    "st",  "su",     "sv",   "sy",   "sz",  "tc",  "td",   "tel",    "tf",   "tg",  "th",  "tj",
    "tk",  "tl",     "tm",   "tn",   "to",  "tp",  "tr",   "travel", "tt",   "tv",  "tw",  "tz",
    "ua",  "ug",     "uk",   "us",   "uy",  "uz",  "va",   "vc",     "ve",   "vg",  "vi",  "vn",
    "vu",  "wf",     "ws",   "xxx",  "xyz", "ye",  "yt",   "za",     "zm",   "zw"};

using Set = CodePointSet;

// Small letters of three scripts, and the blocks of scripts without case with all their signs:
// the same as `lower` of components/languages/signs.rules.
Set make_domain_letters() {
  const Set small = Set::of_category("Ll");
  const Set latin({{'a', 'z'},
                   {0xDF, 0xF6},
                   {0xF8, 0x2AF},
                   {0x1D00, 0x1D25},
                   {0x1D6B, 0x1D9A},
                   {0x1E00, 0x1EFF},
                   {0x2C60, 0x2C7F},
                   {0xA722, 0xA7B9},
                   {0xA7FA, 0xA7FA},
                   {0xAB30, 0xAB64},
                   {0xFF41, 0xFF5A}});
  const Set greek = Set({{0x3AC, 0x3CE}}) - Set({{0x3B0, 0x3B0}, {0x3CA, 0x3CB}});
  const Set cyrillic({{0x430, 0x451},
                      {0x453, 0x45A},
                      {0x45C, 0x45D},
                      {0x491, 0x491},
                      {0x497, 0x497},
                      {0x4A3, 0x4A3},
                      {0x4AF, 0x4AF},
                      {0x4BB, 0x4BB},
                      {0x4D9, 0x4D9},
                      {0x4E9, 0x4E9}});
  const Set near_east({{0x591, 0x5F4},
                       {0xFB1D, 0xFB4F},
                       {0x620, 0x64A},
                       {0x66E, 0x6D5},
                       {0x6E5, 0x6FF},
                       {0x750, 0x77F},
                       {0x8A0, 0x8BD},
                       {0xFB50, 0xFBB1},
                       {0xFBD3, 0xFD3D},
                       {0xFD50, 0xFDC7},
                       {0xFDF0, 0xFDFB},
                       {0xFE70, 0xFEFC},
                       {0x1200, 0x137F},
                       {0x1EE00, 0x1EEBB}});
  const Set india({{0x900, 0x97F},
                   {0x980, 0x9FF},
                   {0xB80, 0xBFF},
                   {0xC00, 0xC7F},
                   {0xC80, 0xCFF},
                   {0xD80, 0xDFF}});
  const Set far_east({{0x1100, 0x11FF},
                      {0xAC00, 0xD7AF},
                      {0x3040, 0x30FF},
                      {0x2E80, 0x2FDF},
                      {0x2FF0, 0x303F},
                      {0x31C0, 0x31EF},
                      {0x3200, 0x4DBF},
                      {0x4E00, 0x9FFF},
                      {0xF900, 0xFAFF},
                      {0xFE30, 0xFE4F},
                      {0x1F200, 0x1F2FF},
                      {0x20000, 0x2A6DF},
                      {0x2A700, 0x2EBEF},
                      {0x2F800, 0x2FA1F}});
  return (small & (latin | greek)) | Set::of(0x294) | cyrillic | near_east | india | far_east;
}

const Set& domain_letters() {
  static const Set& letters = *new Set(make_domain_letters());
  return letters;
}

const Set& scheme_letters() {
  static const Set& letters = *new Set(Set::of_category("L") | Set::of_category("N") |
                                       Set({{'+', '+'}, {'-', '.'}, {'_', '_'}}));
  return letters;
}

const Set& decimals() {
  static const Set& digits = *new Set(Set::of_category("Nd"));
  return digits;
}

template <typename Test>
bool all_of(std::string_view word, Test test) {
  for (std::size_t pos = 0; pos < word.size();) {
    if (!test(next_code_point(word, pos))) return false;
  }
  return true;
}

bool all_in(std::string_view word, const Set& set) {
  return all_of(word, [&](char32_t c) { return set.contains(c); });
}

bool is_ascii_alnum(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_host_label(std::string_view label) {
  const auto fits = [](char32_t c) {
    return (c >= 0xA1 && c <= 0xFFFF) || (c < 0x80 && is_ascii_alnum(c)) || c == '-' || c == '_';
  };
  const bool edges = !label.empty() && label.front() != '-' && label.front() != '_' &&
                     label.back() != '-' && label.back() != '_';
  return edges && count_code_points(label) <= 64 && all_of(label, fits);
}

// The digits of a part of an address: 0 to 9 in ASCII; a digit of another script stands only where
// any digit may. None for a part that is no number of up to three digits.
constexpr int kOtherDigit = 10;
std::vector<int> digits_of(std::string_view part) {
  std::vector<int> digits;
  for (std::size_t pos = 0; pos < part.size();) {
    const char32_t c = next_code_point(part, pos);
    if (!decimals().contains(c) || digits.size() == 3) return {};
    digits.push_back(c < 0x80 ? static_cast<int>(c - '0') : kOtherDigit);
  }
  return digits;
}

// A number up to 2xy, x and y being the digits of `most`. Three digits do not start with 0.
bool is_octet(const std::vector<int>& digits, std::array<int, 2> most, bool may_start_with_zero) {
  if (digits.empty()) return false;
  if (digits.size() < 3) return may_start_with_zero || (digits[0] >= 1 && digits[0] <= 9);
  return digits[0] == 1 || (digits[0] == 2 && (digits[1] < most[0] ||
                                               (digits[1] == most[0] && digits[2] <= most[1])));
}

// 172.16 to 172.31.
bool is_private_range(const std::vector<int>& digits) {
  return digits.size() == 2 && ((digits[0] == 1 && digits[1] >= 6 && digits[1] <= 9) ||
                                digits[0] == 2 || (digits[0] == 3 && digits[1] <= 1));
}

// The address of a machine by four numbers that is not one of a private network.
bool is_public_address(std::string_view host) {
  std::string_view parts[4];
  for (int i = 0; i < 4; ++i) {
    const std::size_t dot = host.find('.');
    if ((dot == host.npos) != (i == 3)) return false;
    parts[i] = host.substr(0, dot);
    if (i < 3) host.remove_prefix(dot + 1);
  }
  const bool private_network = parts[0] == "10" || parts[0] == "127" ||
                               (parts[0] == "169" && parts[1] == "254") ||
                               (parts[0] == "192" && parts[1] == "168") ||
                               (parts[0] == "172" && is_private_range(digits_of(parts[1])));
  return !private_network && is_octet(digits_of(parts[0]), {2, 3}, false) &&
         is_octet(digits_of(parts[1]), {5, 5}, true) &&
         is_octet(digits_of(parts[2]), {5, 5}, true) &&
         is_octet(digits_of(parts[3]), {5, 4}, false);
}

// host.domain, with an optional port and path; the last part in letters of a domain.
bool is_host(std::string_view word) {
  const std::size_t path = std::min(word.find_first_of("/?#"), word.size());
  if (!all_of(word.substr(path), [](char32_t c) { return !is_space(c); })) return false;
  word = word.substr(0, path);
  if (const std::size_t port = word.rfind(':'); port != word.npos) {
    const std::string_view digits = word.substr(port + 1);
    const std::size_t count = count_code_points(digits);
    if (count < 2 || count > 5 || !all_in(digits, decimals())) return false;
    word = word.substr(0, port);
  }
  if (is_public_address(word)) return true;
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos) return false;
  const std::string_view domain = word.substr(dot + 1);
  const std::size_t length = count_code_points(domain);
  if (length < 2 || length > 63 || !all_in(domain, domain_letters())) return false;
  for (std::string_view rest = word.substr(0, dot);;) {
    const std::size_t end = rest.find('.');
    if (!is_host_label(rest.substr(0, end))) return false;
    if (end == rest.npos) return true;
    rest.remove_prefix(end + 1);
  }
}

// The scheme is letters, numbers, + - . and _ up to "://"; a path may hold that text, too.
bool is_host_behind_scheme(std::string_view word) {
  const std::size_t end = word.find("://");
  if (end == word.npos || count_code_points(word.substr(0, end)) < 2) return false;
  return all_in(word.substr(0, end), scheme_letters()) && is_host(word.substr(end + 3));
}

}  // namespace

bool like_url(std::string_view word) {
  if (word.starts_with("http://") || word.starts_with("https://")) return true;
  if (word.starts_with("www.") && count_code_points(word) >= 5) return true;
  if (word.empty() || word.front() == '.' || word.back() == '.') return false;
  if (word.find('@') != word.npos) return false;
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos) return false;
  std::string_view domain = word.substr(dot + 1);
  domain = domain.substr(0, domain.find(':'));
  if (word.ends_with('\n')) word.remove_suffix(1);  // a pattern's end lies before it, too
  return domain.ends_with('/') ||
         std::binary_search(kTopLevelDomains.begin(), kTopLevelDomains.end(), domain) ||
         is_host(word) || is_host_behind_scheme(word);
}

}  // namespace weft
