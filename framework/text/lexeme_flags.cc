// The yes/no attributes of word forms.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "framework/text/lexeme.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

using Words = std::initializer_list<std::string_view>;

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

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <typename Test>
bool all_of(std::string_view word, Test test) {
  for (std::size_t pos = 0; pos < word.size();) {
    if (!test(next_code_point(word, pos))) return false;
  }
  return true;
}

bool all_digits(std::string_view word) {
  return !word.empty() && all_of(word, [](char32_t c) { return is_digit(c); });
}

// Case as Python's islower, isupper and istitle see it.
LexemeFlags case_flags(std::string_view word) {
  bool lower = true;
  bool upper = true;
  bool title = true;
  bool any_cased = false;
  bool after_cased = false;
  for (std::size_t pos = 0; pos < word.size();) {
    const char32_t c = next_code_point(word, pos);
    const bool capital = is_upper(c) || is_title(c);
    const bool cased = capital || is_lower(c);
    lower = lower && !capital;
    upper = upper && (!cased || is_upper(c));
    if (cased && capital == after_cased) title = false;
    any_cased = any_cased || cased;
    after_cased = cased;
  }
  if (!any_cased) return 0;
  return (lower ? flag_bit(Attr::is_lower) : 0) | (upper ? flag_bit(Attr::is_upper) : 0) |
         (title ? flag_bit(Attr::is_title) : 0);
}

// A number with an optional sign and any commas and points, or a fraction of two such.
bool like_number(std::string_view word) {
  for (const std::string_view sign : {"+", "-", "±", "~"}) {
    if (!word.starts_with(sign)) continue;
    word.remove_prefix(sign.size());
    break;
  }
  std::string digits;
  for (const char c : word) {
    if (c != ',' && c != '.') digits += c;
  }
  const std::size_t slash = digits.find('/');
  if (slash == std::string::npos) return all_digits(digits);
  const std::string_view view = digits;
  return all_digits(view.substr(0, slash)) && all_digits(view.substr(slash + 1));
}

bool is_ascii_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// name@host.rest at the start of the word; the name and the rest have at least one character.
bool like_email(std::string_view word) {
  std::size_t at = 0;
  while (at < word.size() &&
         (is_ascii_alnum(word[at]) || std::string_view("_.+-").find(word[at]) != word.npos)) {
    ++at;
  }
  if (at == 0 || at >= word.size() || word[at] != '@') return false;
  std::size_t dot = at + 1;
  while (dot < word.size() && (is_ascii_alnum(word[dot]) || word[dot] == '-')) ++dot;
  if (dot == at + 1 || dot + 1 >= word.size() || word[dot] != '.') return false;
  const char next = word[dot + 1];
  return is_ascii_alnum(next) || next == '-' || next == '.';
}

bool is_host_label(std::string_view label) {
  const auto fits = [](char32_t c) {
    return (c >= 0xA1 && c <= 0xFFFF) || (c < 0x80 && is_ascii_alnum(static_cast<char>(c))) ||
           c == '-' || c == '_';
  };
  const bool edges = !label.empty() && label.front() != '-' && label.front() != '_' &&
                     label.back() != '-' && label.back() != '_';
  return edges && count_code_points(label) <= 64 && all_of(label, fits);
}

// A number from `low` to `high`, without a leading zero unless `padded`.
bool is_octet(std::string_view text, int low, int high, bool padded) {
  if (text.empty() || text.size() > 3 || (!padded && text[0] == '0')) return false;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = 10 * value + (c - '0');
  }
  return value >= low && value <= high;
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
                               (parts[0] == "172" && is_octet(parts[1], 16, 31, false));
  return !private_network && is_octet(parts[0], 1, 223, false) &&
         is_octet(parts[1], 0, 255, true) && is_octet(parts[2], 0, 255, true) &&
         is_octet(parts[3], 1, 254, false);
}

// host.domain, with an optional port and path; the last part in letters, none capital.
bool is_host(std::string_view word) {
  const std::size_t path = std::min(word.find_first_of("/?#"), word.size());
  if (!all_of(word.substr(path), [](char32_t c) { return !is_space(c); })) return false;
  word = word.substr(0, path);
  if (const std::size_t port = word.rfind(':'); port != word.npos) {
    const std::string_view digits = word.substr(port + 1);
    if (digits.size() < 2 || digits.size() > 5 || !all_digits(digits)) return false;
    word = word.substr(0, port);
  }
  if (is_public_address(word)) return true;
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos) return false;
  const std::string_view domain = word.substr(dot + 1);
  const std::size_t length = count_code_points(domain);
  if (length < 2 || length > 63 ||
      !all_of(domain, [](char32_t c) { return is_alpha(c) && !is_upper(c) && !is_title(c); })) {
    return false;
  }
  for (std::string_view rest = word.substr(0, dot);;) {
    const std::size_t end = rest.find('.');
    if (!is_host_label(rest.substr(0, end))) return false;
    if (end == rest.npos) return true;
    rest.remove_prefix(end + 1);
  }
}

// The scheme is letters, digits, + - . and _ up to "://"; a path may hold that text, too.
bool is_host_behind_scheme(std::string_view word) {
  const std::size_t end = word.find("://");
  if (end == word.npos || count_code_points(word.substr(0, end)) < 2) return false;
  const auto fits = [](char32_t c) {
    return is_alpha(c) || is_digit(c) ||
           std::u32string_view(U"+-._").find(c) != std::u32string_view::npos;
  };
  return all_of(word.substr(0, end), fits) && is_host(word.substr(end + 3));
}

// Reads like the address of a page, correct or not: with a scheme, `www.`, a known top-level domain
// or the form of a host.
bool like_url(std::string_view word) {
  if (word.starts_with("http://") || word.starts_with("https://")) return true;
  if (word.starts_with("www.") && count_code_points(word) >= 5) return true;
  if (word.empty() || word.front() == '.' || word.back() == '.') return false;
  if (word.find('@') != word.npos) return false;
  const std::size_t dot = word.rfind('.');
  if (dot == word.npos) return false;
  std::string_view domain = word.substr(dot + 1);
  domain = domain.substr(0, domain.find(':'));
  return domain.ends_with('/') ||
         std::binary_search(kTopLevelDomains.begin(), kTopLevelDomains.end(), domain) ||
         is_host(word) || is_host_behind_scheme(word);
}

LexemeFlags mark_flags(std::string_view word) {
  LexemeFlags flags = 0;
  if (word.size() > 3) return flags;  // every mark below is at most three bytes long
  const auto set = [&](Attr attr, Words words) {
    if (is_one_of(word, words)) flags |= flag_bit(attr);
  };
  set(Attr::is_bracket, {"(", ")", "[", "]", "{", "}", "<", ">"});
  set(Attr::is_quote, {"\"", "'", "`", "«", "»", "‘", "’", "‚", "‛", "“", "”", "„", "‟", "‹", "›",
                       "❮", "❯", "''", "``"});
  set(Attr::is_left_punct,
      {"(", "[", "{", "<", "\"", "'", "«", "‘", "‚", "‛", "“", "„", "‟", "‹", "❮", "``"});
  set(Attr::is_right_punct, {")", "]", "}", ">", "\"", "'", "»", "’", "”", "›", "❯", "''"});
  return flags;
}

}  // namespace

LexemeFlags flags_of(std::string_view word) {
  LexemeFlags flags = case_flags(word) | mark_flags(word);
  const auto set = [&](Attr attr, bool value) {
    if (value) flags |= flag_bit(attr);
  };
  set(Attr::is_alpha, !word.empty() && all_of(word, [](char32_t c) { return is_alpha(c); }));
  set(Attr::is_ascii, is_ascii(word));
  set(Attr::is_digit, all_digits(word));
  set(Attr::is_punct, all_of(word, is_punctuation));
  set(Attr::is_space, is_space(word));
  set(Attr::is_currency, all_of(word, is_currency_sign));
  set(Attr::like_num, like_number(word));
  set(Attr::like_email, like_email(word));
  set(Attr::like_url, like_url(word));
  return flags;
}

}  // namespace weft
