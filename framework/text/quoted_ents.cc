#include "framework/text/quoted_ents.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "framework/text/code_point_index.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Whether both are the same but for white space, which tools write in their own ways: as it is, as
// one space, or as the two characters of its escape.
bool is_same_text(std::string_view a, std::string_view b) {
  const auto next_mark = [](std::string_view& text) {
    while (!text.empty()) {
      const bool is_escape = text.size() > 1 && text[0] == '\\' &&
                             (text[1] == 'n' || text[1] == 't' || text[1] == 'r');
      const bool is_blank = text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r');
      if (!is_escape && !is_blank) break;
      text.remove_prefix(is_escape ? 2 : 1);
    }
    if (text.empty()) return '\0';
    const char mark = text.front();
    text.remove_prefix(1);
    return mark;
  };
  while (!a.empty() || !b.empty()) {
    if (next_mark(a) != next_mark(b)) return false;
  }
  return true;
}

// The characters of a span, as far as they lie in the text.
std::string_view text_of(const CodePointIndex& index, std::string_view text,
                         const RecordSpan& span) {
  const std::size_t first = index.byte(span.start);
  return text.substr(first, index.byte(std::max(span.start, span.end)) - first);
}

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
  std::optional<CodePointIndex> index;
  for (const RecordSpan& span : spans) {
    CharEnt ent{span.start, span.end, span.label, span.kb_id, span.id};
    if (!span.quote.empty()) {
      if (!index) index.emplace(doc.text());
      const std::string_view there = text_of(*index, doc.text(), span);
      if (!is_same_text(there, span.quote)) {
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
