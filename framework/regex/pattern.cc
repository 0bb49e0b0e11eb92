#include "framework/regex/pattern.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/regex/parser.h"
#include "framework/regex/pcre2_piece.h"
#include "framework/regex/pcre2_syntax.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A pattern longer than this is compiled when it is first needed: it can take a second.
constexpr std::size_t kLazySize = 100'000;
// Bytes of a piece of text that is short enough to be matched without counting: whatever the
// pattern, no more than a fraction of a millisecond.
constexpr std::size_t kShortText = 64;
// The same of a match that is tried at one place, for a step for each byte.
constexpr std::size_t kShortMatch = 1024;
// Bytes that one step pays for: those a search passes, and those a match looks at.
constexpr std::uint64_t kPassedPerStep = 8, kTriedPerStep = 32;
// Items of a pattern that looks at no more than a few words at each place.
constexpr std::uint64_t kFewItems = 256;

// Of all alternatives together.
std::size_t count_items(std::span<const RegexNode> nodes) {
  std::size_t items = nodes.size();
  for (const RegexNode& node : nodes) items += count_items(node.children);
  return items;
}

// Of a class of characters among them.
std::size_t most_ranges(std::span<const RegexNode> nodes) {
  std::size_t most = 0;
  for (const RegexNode& node : nodes) {
    most = std::max({most, node.set.ranges().size(), most_ranges(node.children)});
  }
  return most;
}

bool refers_back(std::span<const RegexNode> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const RegexNode& node) {
    return node.kind == RegexKind::back_reference || refers_back(node.children);
  });
}

}  // namespace

// A backtracking matcher can take time exponential in the text. Patterns come from files and texts
// from anywhere, so each text has a budget of steps that all matches in it share (docs/limits.md).
struct MatchScratch::Impl {
  MatchMemory memory;
  MatchBudget budget;
};

MatchScratch::MatchScratch() : impl_(std::make_unique<Impl>()) {}
MatchScratch::~MatchScratch() = default;
MatchScratch::MatchScratch(MatchScratch&&) noexcept = default;
MatchScratch& MatchScratch::operator=(MatchScratch&&) noexcept = default;

void MatchScratch::begin_text(std::size_t bytes) {
  impl_->budget = MatchBudget(bytes);
}

bool MatchScratch::spend(std::uint64_t steps) {
  return impl_->budget.spend(steps);
}

struct Pattern::Impl {
  std::string name, source;
  Use use = Use::search;
  std::vector<RegexFacts> facts;
  bool linear = true;       // all alternatives are, and look at few items
  bool tried_once = false;  // only at the start of a text
  std::uint64_t items = 1;  // that are tried at one place at most
  std::uint64_t width = 1;  // most items that a character counts for
  RegexNode root;           // only until it is compiled
  mutable std::once_flag compiled;
  mutable std::vector<std::unique_ptr<Pcre2Piece>> pieces;

  void measure() {
    facts = facts_of_alternatives(root);
    tried_once = true;
    width = items_of_class(most_ranges({&root, 1}));
    for (const RegexFacts& alternative : facts) {
      linear = linear && alternative.linear;
      tried_once = tried_once && alternative.anchored_start;
      items = std::max<std::uint64_t>(items, alternative.items);
    }
    tried_once = tried_once || use == Use::match;
    linear = linear && items <= kFewItems;
  }

  // Pieces of an attempt that failed are not kept: the next one makes all of them.
  void compile() {
    pieces.clear();
    const bool several = root.kind == RegexKind::alternation;
    compile_alternatives(several ? std::span<const RegexNode>(root.children)
                                 : std::span<const RegexNode>(&root, 1));
    root = {};
  }

  // The 8-bit library takes 64 KiB of code at most: a larger alternation is cut in half, which
  // changes nothing where only whether it matches is asked, as `match` does, and where no group is
  // referred to by its number in the whole.
  void compile_alternatives(std::span<const RegexNode> alternatives) {
    if (compile_piece(alternatives)) return;
    if (alternatives.size() == 1 || use == Use::search || refers_back(alternatives)) {
      throw Error(
          ErrorKind::data,
          fmt::format("{} is too large a pattern: its compiled code may have 64 KiB", name));
    }
    const std::size_t half = alternatives.size() / 2;
    compile_alternatives(alternatives.first(half));
    compile_alternatives(alternatives.subspan(half));
  }

  // False if the piece is too large.
  bool compile_piece(std::span<const RegexNode> alternatives) {
    auto text = to_pcre2(alternatives);
    if (!text) return false;
    try {
      const PieceTraits traits{use == Use::match, has_atomic(alternatives),
                               count_items(alternatives),
                               items_of_class(most_ranges(alternatives))};
      auto piece = Pcre2Piece::compile(std::move(*text), traits);
      if (piece == nullptr) return false;
      pieces.push_back(std::move(piece));
    } catch (const Error& error) {
      throw Error(ErrorKind::data, fmt::format("{}: {}", name, error.what()));
    }
    return true;
  }

  // Most matches take the quick way: the pattern is linear, or the text so short that nothing can
  // go wrong. Only where that ends at its limit is the match repeated by code that counts its
  // steps.
  std::optional<MatchSpan> run(const Pcre2Piece& piece, MatchScratch::Impl& scratch,
                               const MatchSubject& subject) const {
    PieceMatch match;
    const std::size_t bytes = subject.bytes();
    const bool paid = !linear && bytes > kShortText;
    const bool quick = !paid || (use == Use::match && bytes <= kShortMatch);
    if (quick && paid) spend(scratch.budget, bytes, subject.text);
    if (quick) match = piece.quick(scratch.memory, subject);
    if (!quick || match.end == PieceMatch::End::limit) {
      const MatchEffort effort{tried_once ? 1 : std::max<std::size_t>(bytes, 1),
                               tried_at_each(bytes) / kTriedPerStep};
      match = piece.counted(scratch.memory, subject, effort, scratch.budget);
    }
    const bool found = match.end == PieceMatch::End::found;
    if (!found && match.end != PieceMatch::End::none) fail(match, subject.text);
    const std::size_t passed = found ? std::max(match.stop, subject.from) - subject.from : bytes;
    spend(scratch.budget, steps_of(passed, bytes), subject.text);
    if (!found) return std::nullopt;
    return MatchSpan{match.begin, match.stop};
  }

  void spend(MatchBudget& budget, std::uint64_t steps, std::string_view text) const {
    if (!budget.spend(steps)) fail({PieceMatch::End::limit}, text);
  }

  // Of a search that passed so many bytes out of `bytes`, without what was counted.
  std::uint64_t steps_of(std::uint64_t passed, std::uint64_t bytes) const {
    const std::uint64_t places = tried_once ? 1 : passed;
    return 1 + places / kPassedPerStep + places * tried_at_each(bytes) / kTriedPerStep;
  }

  std::uint64_t tried_at_each(std::uint64_t bytes) const { return std::min(items, bytes * width); }

  [[noreturn]] void fail(const PieceMatch& match, std::string_view text) const {
    const std::string head(text.substr(0, byte_offset(text, 40)));
    const std::string cause =
        match.end == PieceMatch::End::failed
            ? Pcre2Piece::message_of(match.code)
            : fmt::format(
                  "matching may take {} million steps in a text and {} for each of its "
                  "bytes, and they are used up (docs/limits.md)",
                  MatchBudget::kSteps / 1'000'000, MatchBudget::kStepsPerByte);
    throw Error(ErrorKind::data, fmt::format("{} gives up on a piece of {} bytes that starts "
                                             "\"{}\": {}",
                                             name, text.size(), head, cause));
  }
};

Pattern::Pattern(std::string name, std::string source, Use use) : impl_(std::make_unique<Impl>()) {
  impl_->name = std::move(name);
  impl_->source = std::move(source);
  impl_->use = use;
  try {
    impl_->root = parse_regex(impl_->source);
  } catch (const Error& error) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", impl_->name, error.what()));
  }
  impl_->measure();
  if (impl_->source.size() <= kLazySize) {
    std::call_once(impl_->compiled, [this] { impl_->compile(); });
  }
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

const std::string& Pattern::name() const {
  return impl_->name;
}
const std::string& Pattern::source() const {
  return impl_->source;
}
const std::vector<RegexFacts>& Pattern::alternatives() const {
  return impl_->facts;
}

std::optional<MatchSpan> Pattern::find(MatchScratch& scratch, std::string_view text,
                                       std::size_t from, bool not_empty_here) const {
  // The pieces of a large alternation are tried in order; the first match of any of them is taken.
  std::call_once(impl_->compiled, [this] { impl_->compile(); });
  for (const auto& piece : impl_->pieces) {
    const auto found = impl_->run(*piece, *scratch.impl_, {text, from, not_empty_here});
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace weft
