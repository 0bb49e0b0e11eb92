#include "framework/regex/flags.h"

#include <string>

namespace weft {
namespace {

void set_flag(const RegexCursor& in, RegexFlags& flags, char32_t c, bool on) {
  switch (c) {
    case U'i':
      flags.ignore_case = on;
      break;
    case U'm':
      flags.multiline = on;
      break;
    case U's':
      flags.dot_all = on;
      break;
    case U'x':
      flags.verbose = on;
      break;
    case U'u':
      break;
    default:
      in.fail("unknown or unsupported flag or group syntax");
  }
}

std::u32string letters_until_colon_or_minus(RegexCursor& in) {
  std::u32string letters;
  while (!in.done() && !in.at(':') && !in.at('-')) letters += in.next();
  return letters;
}

// Python skips six characters alone: a no-break space or a separator of ASCII is a literal.
void skip_verbose(RegexCursor& in) {
  while (!in.done()) {
    const char32_t c = in.peek();
    if (c == U'#') {
      while (!in.done() && in.next() != U'\n') continue;
    } else if (c == U' ' || (c >= U'\t' && c <= U'\r')) {
      in.next();
    } else {
      return;
    }
  }
}

// "(?#...)"
bool skip_comment(RegexCursor& in) {
  const std::size_t start = in.position();
  if (in.take('(') && in.take('?') && in.take('#')) {
    while (!in.take(')')) in.next();
    return true;
  }
  in.rewind(start);
  return false;
}

}  // namespace

void read_head_flags(RegexCursor& in, RegexFlags& flags) {
  while (true) {
    const std::size_t start = in.position();
    if (!in.take('(') || !in.take('?') || !in.at_letter() || in.at('P')) return in.rewind(start);
    std::u32string letters;
    while (in.at_letter()) letters += in.next();
    if (!in.take(')')) return in.rewind(start);
    for (const char32_t c : letters) set_flag(in, flags, c, true);
  }
}

void read_group_flags(RegexCursor& in, RegexFlags& flags) {
  const std::u32string set = letters_until_colon_or_minus(in);
  std::u32string unset;
  if (in.take('-')) {
    unset = letters_until_colon_or_minus(in);
    if (unset.empty()) in.fail("a flag is missing");
  }
  if (!in.take(':')) in.fail("unknown group syntax");
  for (const char32_t c : set) set_flag(in, flags, c, true);
  for (const char32_t c : unset) {
    if (c == U'u') in.fail("the flag u cannot be unset");
    if (set.find(c) != set.npos) in.fail("a flag is set and unset");
    set_flag(in, flags, c, false);
  }
}

void skip_blanks_and_comments(RegexCursor& in, const RegexFlags& flags) {
  do {
    if (flags.verbose) skip_verbose(in);
  } while (skip_comment(in));
}

}  // namespace weft
