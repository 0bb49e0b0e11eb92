#include "framework/text/char_ents.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "framework/text/code_point_index.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using TokenRange = std::pair<int, int>;

constexpr TokenRange kNone(-1, -1);

// The first of `count` tokens for which `holds` is true, as it is for all behind that one.
template <class Holds>
int first_token(int count, const Holds& holds) {
  int low = 0;
  while (low < count) {
    const int middle = low + (count - low) / 2;
    if (holds(middle)) {
      count = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Tokens by the characters that they are of.
class CharTokens {
 public:
  explicit CharTokens(const TokenTable& tokens)
      : tokens_(tokens), count_(static_cast<int>(tokens.size())) {}

  // Characters of the text.
  std::size_t size() const { return tokens_.char_size(); }

  // The tokens that are exactly the characters [start, end).
  TokenRange exact(std::size_t start, std::size_t end) const {
    const int first = tokens_.token_starting_at(start);
    const int last = first_from(end);
    return first >= 0 && first < last && end_of(last - 1) == end ? TokenRange(first, last) : kNone;
  }

  // The tokens that have a character in [start, end).
  TokenRange touched(std::size_t start, std::size_t end) const {
    const int first = first_token(count_, [&](int i) { return end_of(i) > start; });
    const int last = first_from(end);
    return first < last ? TokenRange(first, last) : kNone;
  }

  std::size_t start_of(int i) const { return tokens_.char_start(i); }

  // Those of the range that lie inside [start, end).
  TokenRange contracted(TokenRange range, std::size_t start, std::size_t end) const {
    auto [first, last] = range;
    while (first < last && tokens_.char_start(first) < start) ++first;
    while (first < last && end_of(last - 1) > end) --last;
    return first < last ? TokenRange(first, last) : kNone;
  }

 private:
  std::size_t end_of(int i) const { return tokens_.char_end(static_cast<std::size_t>(i)); }
  // The first token that starts at the character or behind it.
  int first_from(std::size_t character) const {
    return first_token(count_, [&](int i) { return tokens_.char_start(i) >= character; });
  }

  const TokenTable& tokens_;
  int count_;
};

// Puts the entities of one document onto its tokens.
class Aligner {
 public:
  Aligner(Doc& doc, AlignmentPolicy policy, const DocPlace& place, const MisalignedSink& tell)
      : doc_(doc),
        tokens_(*doc.tokens()),
        policy_(policy),
        place_(place),
        tell_(tell),
        taken_(doc.size(), false) {}

  void take(const CharEnt& ent) {
    if (ent.start >= ent.end) return report(ent, EntFault::no_characters, kNone);
    const bool is_past_end = ent.end > tokens_.size();
    TokenRange range = is_past_end ? kNone : tokens_.exact(ent.start, ent.end);
    const bool exact = range.first >= 0;
    const TokenRange near = exact ? range : tokens_.touched(ent.start, ent.end);
    if (!exact) range = repaired(near, ent);
    const bool overlaps = range != kNone && is_taken(range);
    if (overlaps) range = kNone;
    if (!exact || overlaps) {
      const EntFault fault = overlaps ? EntFault::shares_token : EntFault::not_on_tokens;
      report(ent, is_past_end ? EntFault::past_end : fault, range);
    }
    if (range != kNone) {
      keep(range, ent);
    } else {
      leave_open(near);
    }
  }

  void take_nothing(const CharEnt& ent) { leave_open(tokens_.touched(ent.start, ent.end)); }

  // Without a label: its tokens are no entities. Of one that begins before it nothing is known.
  void take_none(const CharEnt& ent) {
    if (ent.start >= ent.end || ent.start >= tokens_.size()) return;
    const TokenRange near = tokens_.touched(ent.start, ent.end);
    if (near == kNone || tokens_.start_of(near.first) >= ent.start) return;
    leave_open({near.first, near.first + 1});
  }

  // Many entities may leave the same tokens unknown: each token is looked at once.
  void finish() {
    std::sort(unknown_.begin(), unknown_.end());
    std::vector<Span> missing;
    int next = 0;
    for (const auto& [start, end] : unknown_) {
      for (next = std::max(next, start); next < end; ++next) {
        if (!taken_[next]) missing.push_back({next, next + 1});
      }
    }
    doc_.set_ents(ents_, EntsDefault::outside, {}, missing);
  }

 private:
  TokenRange repaired(TokenRange near, const CharEnt& ent) const {
    if (near == kNone || policy_ == AlignmentPolicy::drop || policy_ == AlignmentPolicy::error) {
      return kNone;
    }
    if (policy_ == AlignmentPolicy::expand) return near;
    return tokens_.contracted(near, ent.start, ent.end);
  }

  bool is_taken(TokenRange range) const {
    const auto behind = kept_.upper_bound(range.first);
    return behind != kept_.end() && behind->second < range.second;
  }

  // Nothing is known of these tokens but what other entities say.
  void leave_open(TokenRange range) {
    if (range != kNone) unknown_.push_back(range);
  }

  void keep(TokenRange range, const CharEnt& ent) {
    StringStore& strings = doc_.vocab()->strings();
    ents_.push_back({range.first, range.second, strings.add(ent.label), strings.add(ent.kb_id),
                     strings.add(ent.id)});
    std::fill(taken_.begin() + range.first, taken_.begin() + range.second, true);
    kept_.emplace(range.second, range.first);
  }

  // The entity's characters, as far as they lie in the text.
  std::string_view text_of(const CharEnt& ent) {
    if (!index_) index_.emplace(doc_.text());
    const std::size_t first = index_->byte(ent.start);
    const std::size_t last = index_->byte(std::max(ent.start, ent.end));
    return doc_.text().substr(first, last - first);
  }

  // " (tokens "John" "Smith")": those that it touches, as far as a message has room for them.
  std::string tokens_touched(const CharEnt& ent) const {
    constexpr int kMostShown = 8;
    const auto [first, last] = tokens_.touched(ent.start, ent.end);
    std::string text;
    for (int i = std::max(first, 0); i < std::min(last, first + kMostShown); ++i) {
      text += (text.empty() ? " (tokens \"" : " \"") + printable_brief(doc_.word(i)) + "\"";
    }
    if (last - first > kMostShown) text += " …";
    return text.empty() ? text : text + ")";
  }

  std::string reason_of(const CharEnt& ent, EntFault fault) const {
    switch (fault) {
      case EntFault::no_characters:
        return "has no characters";
      case EntFault::past_end:
        return "goes past the end of the text";
      case EntFault::shares_token:
        return "shares a token with an entity before it" + tokens_touched(ent);
      case EntFault::not_on_tokens:
      case EntFault::other_text:
        break;
    }
    return "does not fall on token boundaries" + tokens_touched(ent);
  }

  void report(const CharEnt& ent, EntFault fault, TokenRange kept) {
    if (policy_ != AlignmentPolicy::error && !tell_) return;
    const std::string_view text = text_of(ent);
    Misaligned misaligned{place_,       ent, shortened(text, kLongestQuote), reason_of(ent, fault),
                          std::nullopt, ""};
    misaligned.blank_edge = text.starts_with(' ') || text.ends_with(' ');
    misaligned.fault = fault;
    if (kept != kNone) {
      misaligned.kept = kept;
      misaligned.kept_text = shortened(doc_.span_text(kept.first, kept.second), kLongestQuote);
    }
    if (policy_ == AlignmentPolicy::error) {
      misaligned.place.file.clear();  // it stands in front of the message
      throw Error(ErrorKind::data,
                  misaligned.str() +
                      "; --misaligned of the command, or on_misaligned of the reader, says what "
                      "becomes of it: drop, expand or contract",
                  Origin::file(std::make_shared<const std::string>(place_.file), place_.line, 0));
    }
    if (tell_) tell_(misaligned);
  }

  Doc& doc_;
  CharTokens tokens_;
  AlignmentPolicy policy_;
  const DocPlace& place_;
  const MisalignedSink& tell_;
  std::vector<bool> taken_;  // by token
  std::map<int, int> kept_;  // the same as ranges, of which no two overlap: end to start
  std::vector<Span> ents_;
  std::optional<CodePointIndex> index_;
  std::vector<TokenRange> unknown_;
};

}  // namespace

std::optional<AlignmentPolicy> alignment_policy_of(std::string_view name) {
  if (name == "error") return AlignmentPolicy::error;
  if (name == "drop") return AlignmentPolicy::drop;
  if (name == "expand") return AlignmentPolicy::expand;
  if (name == "contract") return AlignmentPolicy::contract;
  return std::nullopt;
}

std::string Misaligned::str() const {
  std::string where = place.file;
  if (!where.empty() && place.line > 0) where += ":" + std::to_string(place.line);
  if (!where.empty()) where += "  ";
  std::string message = where + "document " + std::to_string(place.document + 1) + ": " +
                        printable_brief(ent.label) + " at characters " + std::to_string(ent.start) +
                        " to " + std::to_string(ent.end) + ", \"" + printable(text) + "\", " +
                        reason;
  if (kept) message += "; \"" + printable(kept_text) + "\" is taken instead";
  return message;
}

void set_ents_from_chars(Doc& doc, std::span<const CharEnt> ents, AlignmentPolicy policy,
                         const DocPlace& place, const MisalignedSink& tell) {
  Aligner aligner(doc, policy, place, tell);
  for (const CharEnt& ent : ents) {
    if (ent.is_doubtful) {
      aligner.take_nothing(ent);
    } else if (ent.label.empty()) {
      aligner.take_none(ent);
    } else {
      aligner.take(ent);
    }
  }
  aligner.finish();
}

}  // namespace weft
