#include "framework/text/quoted_ents.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "framework/text/code_point_index.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Takes the next character that is no white space, which tools write in their own ways: as it is,
// as one space, or as the two characters of its escape. '\0' at the end.
char next_character(std::string_view& text) {
  while (!text.empty()) {
    const bool is_escape =
        text.size() > 1 && text[0] == '\\' && (text[1] == 'n' || text[1] == 't' || text[1] == 'r');
    const bool is_blank = text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r');
    if (!is_escape && !is_blank) break;
    text.remove_prefix(is_escape ? 2 : 1);
  }
  if (text.empty()) return '\0';
  const char character = text.front();
  text.remove_prefix(1);
  return character;
}

// Compares quotes with a document's text. White space of the text is passed over for each quote
// that it may belong to, so the way is bounded: else n entities that overlap there would take n
// times as long as the text.
class QuotedText {
 public:
  explicit QuotedText(std::string_view text)
      : text_(text), index_(text), left_(kAllowance + kForEachByte * text.size()) {}

  // The characters of a span, as far as they lie in the text.
  std::string_view of(const RecordSpan& span) const {
    const std::size_t first = index_.byte(span.start);
    return text_.substr(first, index_.byte(std::max(span.start, span.end)) - first);
  }

  // Whether both are the same but for white space. `there`: of this text.
  bool is_same(std::string_view there, std::string_view quote) {
    while (!there.empty() || !quote.empty()) {
      const std::size_t before = there.size();
      const char character = next_character(there);
      note_way(before - there.size());
      if (character != next_character(quote)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kAllowance = std::uint64_t{64} << 20;  // bytes
  static constexpr std::uint64_t kForEachByte = 256;

  void note_way(std::uint64_t bytes) {
    if (bytes > left_) {
      throw Error(ErrorKind::data,
                  "too many entities with quotes overlap in the text; quotes can be left out");
    }
    left_ -= bytes;
  }

  std::string_view text_;
  CodePointIndex index_;
  std::uint64_t left_;  // bytes of the text that may still be looked at
};

Misaligned told(const RecordSpan& span, const CharEnt& ent, std::string_view there,
                const DocPlace& place) {
  const std::string reason =
      "is not \"" + printable_brief(span.quote) +
      "\", as its source quotes it: offsets count characters, not bytes or UTF-16 units";
  Misaligned misaligned{place, ent, shortened(there, kLongestQuote), reason, std::nullopt, ""};
  misaligned.fault = EntFault::other_text;
  return misaligned;
}

}  // namespace

std::vector<CharEnt> quoted_ents(const Doc& doc, const std::vector<RecordSpan>& spans,
                                 AlignmentPolicy policy, const DocPlace& place,
                                 const MisalignedSink& tell) {
  std::vector<CharEnt> ents;
  std::optional<QuotedText> text;
  for (const RecordSpan& span : spans) {
    CharEnt ent{span.start, span.end, span.label, span.kb_id, span.id};
    if (!span.quote.empty()) {
      if (!text) text.emplace(doc.text());
      const std::string_view there = text->of(span);
      if (!text->is_same(there, span.quote)) {
        Misaligned misaligned = told(span, ent, there, place);
        if (policy == AlignmentPolicy::error) {
          misaligned.place.file.clear();  // the reader puts it in front of the message
          throw Error(ErrorKind::data, misaligned.str());
        }
        if (tell) tell(misaligned);
        ent.is_doubtful = true;
      }
    }
    ents.push_back(std::move(ent));
  }
  return ents;
}

}  // namespace weft
