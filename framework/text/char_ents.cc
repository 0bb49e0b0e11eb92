#include "framework/text/char_ents.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "framework/text/printable.h"
#include "framework/text/unicode.h"
#include "registry/error.h"

namespace weft {
namespace {

using TokenRange = std::pair<int, int>;

constexpr TokenRange kNone(-1, -1);

// The tokens that have a character in [start, end).
TokenRange touched(const TokenTable& tokens, std::size_t start, std::size_t end) {
  int low = 0;
  int high = static_cast<int>(tokens.size());
  while (low < high) {  // the first token that ends behind `start`
    const int middle = low + (high - low) / 2;
    if (tokens.char_end(middle) > start) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  int last = low;
  while (last < static_cast<int>(tokens.size()) && tokens.char_start(last) < end) ++last;
  return low < last ? TokenRange(low, last) : kNone;
}

TokenRange contracted(const TokenTable& tokens, TokenRange range, const CharEnt& ent) {
  auto [first, last] = range;
  while (first < last && tokens.char_start(first) < ent.start) ++first;
  while (first < last && tokens.char_end(last - 1) > ent.end) --last;
  return first < last ? TokenRange(first, last) : kNone;
}

std::string text_of(const Doc& doc, const CharEnt& ent) {
  const std::string_view text = doc.text();
  const std::size_t first = byte_offset(text, ent.start);
  const std::size_t last = byte_offset(text, std::max(ent.start, ent.end));
  return std::string(text.substr(first, last - first));
}

// Puts the entities of one document onto its tokens.
class Aligner {
 public:
  Aligner(Doc& doc, AlignmentPolicy policy, const DocPlace& place, const MisalignedSink& tell)
      : doc_(doc), policy_(policy), place_(place), tell_(tell), taken_(doc.size(), false) {}

  void take(const CharEnt& ent) {
    if (ent.start >= ent.end || ent.end > doc_.tokens()->char_size()) {
      const char* reason =
          ent.start >= ent.end ? "has no characters" : "goes past the end of the text";
      report(ent, reason, kNone);
      return;
    }
    TokenRange range = doc_.char_span(ent.start, ent.end);
    const bool exact = range.first >= 0;
    if (!exact) {
      const TokenRange near = touched(*doc_.tokens(), ent.start, ent.end);
      range = repaired(near, ent);
      if (range == kNone) unknown_.push_back(near);
    }
    const bool overlaps = range != kNone && is_taken(range);
    if (overlaps) range = kNone;
    if (!exact || overlaps) {
      report(ent,
             overlaps ? "shares a token with an entity before it"
                      : "does not fall on token boundaries",
             range);
    }
    if (range != kNone) keep(range, ent);
  }

  void finish() {
    std::vector<Span> missing;
    for (const auto& [start, end] : unknown_) {
      for (int i = start; i < end; ++i) {
        if (taken_[i]) continue;
        taken_[i] = true;
        missing.push_back({i, i + 1});
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
    return contracted(*doc_.tokens(), near, ent);
  }

  bool is_taken(TokenRange range) const {
    return std::any_of(taken_.begin() + range.first, taken_.begin() + range.second,
                       [](bool taken) { return taken; });
  }

  void keep(TokenRange range, const CharEnt& ent) {
    StringStore& strings = doc_.vocab()->strings();
    ents_.push_back({range.first, range.second, strings.add(ent.label), strings.add(ent.kb_id),
                     strings.add(ent.id)});
    std::fill(taken_.begin() + range.first, taken_.begin() + range.second, true);
  }

  void report(const CharEnt& ent, const std::string& reason, TokenRange kept) const {
    Misaligned misaligned{place_, ent, text_of(doc_, ent), reason, std::nullopt, ""};
    if (kept != kNone) {
      misaligned.kept = kept;
      misaligned.kept_text = doc_.span_text(kept.first, kept.second);
    }
    if (policy_ == AlignmentPolicy::error) {
      misaligned.place.file.clear();  // it stands in front of the message
      throw Error(ErrorKind::data, misaligned.str(),
                  Origin::file(std::make_shared<const std::string>(place_.file), place_.line, 0));
    }
    if (tell_) tell_(misaligned);
  }

  Doc& doc_;
  AlignmentPolicy policy_;
  const DocPlace& place_;
  const MisalignedSink& tell_;
  std::vector<bool> taken_;
  std::vector<Span> ents_;
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
                        printable(ent.label) + " at characters " + std::to_string(ent.start) +
                        " to " + std::to_string(ent.end) + ", \"" + printable(text) + "\", " +
                        reason;
  if (kept) message += "; \"" + printable(kept_text) + "\" is taken instead";
  return message;
}

void set_ents_from_chars(Doc& doc, std::span<const CharEnt> ents, AlignmentPolicy policy,
                         const DocPlace& place, const MisalignedSink& tell) {
  Aligner aligner(doc, policy, place, tell);
  for (const CharEnt& ent : ents) {
    if (!ent.label.empty()) aligner.take(ent);
  }
  aligner.finish();
}

}  // namespace weft
