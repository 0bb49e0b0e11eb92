#include "framework/regex/pcre2_syntax.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::string_view kWordClass = "[\\p{L}\\p{N}_]";

// Bytes of a pattern that has more code than the 64 KiB that PCRE2 takes. A class of single ASCII
// characters takes the least: 33 bytes for up to 1,600.
constexpr std::size_t kTooLong = std::size_t{1} << 22;

// Simple case folding that Python 3.11 does and PCRE2 10.42 does not: dotted and dotless i, and
// three pairs of letters with equal full foldings.
constexpr std::array<std::array<char32_t, 4>, 4> kFolded = {{{U'i', U'I', 0x130, 0x131},
                                                             {0x390, 0x390, 0x1FD3, 0x1FD3},
                                                             {0x3B0, 0x3B0, 0x1FE3, 0x1FE3},
                                                             {0xFB05, 0xFB05, 0xFB06, 0xFB06}}};

CodePointSet with_folded(CodePointSet set) {
  for (const auto& group : kFolded) {
    bool any = false;
    for (const char32_t c : group) any = any || set.contains(c);
    for (const char32_t c : group) {
      if (any) set = set | CodePointSet::of(c);
    }
  }
  return set;
}

// True if UTF-8 text cannot hold a member of `set`.
bool is_surrogate(const CodePointSet& set) {
  return set.size() == set.count_in({0xD800, 0xDFFF});
}

// True if the first character of the pattern, in reading order, ignores case: then all the others
// do too, unless the flag is scoped.
bool ignores_case(std::span<const RegexNode> nodes) {
  for (const RegexNode& node : nodes) {
    if (node.kind == RegexKind::set) return node.ignore_case;
    if (!node.children.empty()) return ignores_case(node.children);
  }
  return false;
}

class Writer {
 public:
  explicit Writer(bool ignore_case) : ignore_case_(ignore_case) {
    if (ignore_case) text = "(?i)";
  }

  std::string text;

  bool too_long() const { return text.size() > kTooLong; }

  void node(const RegexNode& n) {
    if (too_long()) return;
    switch (n.kind) {
      case RegexKind::set:
        return set(n);
      case RegexKind::sequence:
        return all(n.children, "");
      case RegexKind::alternation:
        return wrapped("(?:", n, "|");
      case RegexKind::repeat:
        return repeat(n);
      case RegexKind::group:
        return wrapped(n.capture ? "(" : "(?:", n, "");
      case RegexKind::atomic:
        return wrapped("(?>", n, "");
      case RegexKind::look:
        return look(n);
      case RegexKind::line_start:
        // PCRE2's own does not match behind the last line break of a text.
        return add(n.multiline ? "(?<![^\\n])" : "^");
      case RegexKind::line_end:
        return add(n.multiline ? "(?m:$)" : "$");
      case RegexKind::text_start:
        return add("\\A");
      case RegexKind::text_end:
        return add("\\z");
      case RegexKind::word_boundary:
        return boundary(n);
      case RegexKind::back_reference:
        return add(fmt::format("(?{}:\\g{{{}}})", n.ignore_case ? "i" : "-i", n.capture));
    }
  }

  void all(std::span<const RegexNode> nodes, std::string_view between) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0) add(between);
      node(nodes[i]);
    }
  }

 private:
  void add(std::string_view s) { text += s; }

  void wrapped(std::string_view open, const RegexNode& n, std::string_view between) {
    add(open);
    all(n.children, between);
    add(")");
  }

  void look(const RegexNode& n) {
    add(n.behind ? "(?<" : "(?");
    add(n.negative ? "!" : "=");
    // PCRE2 wants look-behind alternatives at its own top level.
    if (n.children[0].kind == RegexKind::alternation) {
      all(n.children[0].children, "|");
    } else {
      node(n.children[0]);
    }
    add(")");
  }

  void boundary(const RegexNode& n) {
    // An empty text has no place of either kind to Python.
    const auto same = fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0})(?!\\A\\z))", kWordClass);
    const auto differ = fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", kWordClass);
    add(n.negative ? same : differ);
  }

  void repeat(const RegexNode& n) {
    // A counted class is one item to PCRE2; a counted group is copied as often as it is counted.
    const RegexNode& what = n.children[0];
    const bool bare = what.kind == RegexKind::set && what.ignore_case == ignore_case_;
    if (!bare) add("(?:");
    node(what);
    if (!bare) add(")");
    if (n.max == RegexNode::kUnlimited) {
      add(n.min == 0 ? "*" : n.min == 1 ? "+" : fmt::format("{{{},}}", n.min));
    } else {
      add(fmt::format("{{{},{}}}", n.min, n.max));
    }
    if (n.mode != RepeatMode::greedy) add(n.mode == RepeatMode::lazy ? "?" : "+");
  }

  void set(const RegexNode& n) {
    const CodePointSet points = n.ignore_case ? with_folded(n.set) : n.set;
    const bool differs = n.ignore_case != ignore_case_;
    if (differs) add(n.ignore_case ? "(?i:" : "(?-i:");
    if (points.size() == 1 && n.shorthands == 0 && !n.negated && !is_surrogate(points)) {
      code_point(points.ranges()[0].first);
    } else {
      bracketed(n, points);
    }
    if (differs) add(")");
  }

  void bracketed(const RegexNode& n, const CodePointSet& points) {
    if (is_surrogate(points) && n.shorthands == 0) return add(n.negated ? "(?s:.)" : "(?!)");
    add(n.negated ? "[^" : "[");
    ranges(points);
    if (n.shorthands & kWord) add("\\p{L}\\p{N}_");
    if (n.shorthands & kDigit) add("\\p{Nd}");
    if (n.shorthands & kNotDigit) add("\\P{Nd}");
    if (n.shorthands & kNotWord) not_word();
    add("]");
  }

  // The iota below other letters is no part of words, and folds with the letter iota under (?i),
  // but not as one of its category.
  void not_word() {
    ranges(python_word().complement() - CodePointSet::of(0x345));
    add("\\p{Mn}");
  }

  // PCRE2 refuses ranges that end at a surrogate.
  void ranges(const CodePointSet& set) {
    static const CodePointSet& scalar =
        *new CodePointSet({{0, 0xD7FF}, {0xE000, CodePointSet::kLast}});
    const CodePointSet valid = set & scalar;
    for (const auto& range : valid.ranges()) {
      code_point(range.first);
      if (range.last == range.first) continue;
      add("-");
      code_point(range.last);
    }
  }

  void code_point(char32_t c) {
    const bool plain =
        (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    if (plain) {
      text += static_cast<char>(c);
    } else {
      char digits[8];  // there are many: a class can name a thousand
      const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<unsigned>(c), 16);
      text.append("\\x{").append(digits, end.ptr).append("}");
    }
  }

  bool ignore_case_;
};

}  // namespace

bool has_atomic(std::span<const RegexNode> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const RegexNode& node) {
    return node.kind == RegexKind::atomic ||
           (node.kind == RegexKind::repeat && node.mode == RepeatMode::possessive) ||
           has_atomic(node.children);
  });
}

std::optional<std::string> to_pcre2(std::span<const RegexNode> alternatives) {
  Writer writer(ignores_case(alternatives));
  writer.all(alternatives, "|");
  if (writer.too_long()) return std::nullopt;
  return std::move(writer.text);
}

}  // namespace weft
