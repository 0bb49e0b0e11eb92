// Entities given by characters, put onto tokens. Those that do not fit are reported, never lost.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// The fate of an entity whose edges are not edges of tokens.
enum class AlignmentPolicy {
  error,     // the reader stops
  drop,      // left out; the tokens it touches count as not annotated
  expand,    // all tokens it touches
  contract,  // the tokens that lie inside it; left out where there is none
};

// "error", "drop", "expand", "contract", or nothing.
WEFT_API std::optional<AlignmentPolicy> alignment_policy_of(std::string_view name);

// Characters [start, end) of the text, counted in code points.
struct CharEnt {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string label;  // empty: its tokens are no entities
  std::string kb_id = {};
  std::string id = {};
  bool is_doubtful = false;  // left out already; nothing is known of its tokens
};

// Where a document stands.
struct DocPlace {
  std::string file;
  int line = 0;              // from 1; 0 = unknown
  std::size_t document = 0;  // its number, from 0
};

// The fault of an entity that was not taken as it is.
enum class EntFault { not_on_tokens, shares_token, no_characters, past_end, other_text };

// An entity that was not taken as it is.
struct WEFT_API Misaligned {
  DocPlace place;
  CharEnt ent;
  // Of the entity, as far as it lies in the document: up to kLongestQuote bytes, else the beginning
  // and "…".
  std::string text;
  std::string reason;                       // the fault in words, with the tokens it touches
  std::optional<std::pair<int, int>> kept;  // the tokens [start, end) taken instead; none = dropped
  std::string kept_text;                    // cut in the same way
  bool blank_edge = false;                  // the entity begins or ends with a blank
  EntFault fault = EntFault::not_on_tokens;

  // "train.jsonl:7  document 7: PER at characters 3 to 9, "hn Smi", does not fall on token
  // boundaries; expanded to "John Smith""
  std::string str() const;
};

using MisalignedSink = std::function<void(const Misaligned&)>;

// Replaces the entity annotation of the document. Two entities on one token: the one that comes
// first in the list stays, the other is dropped and told, under every policy but `error`. An entity
// outside the text or without characters cannot be repaired: it is dropped and told too. Labels go
// to the vocab. Throws Error(data) for the first such entity under `error`.
WEFT_API void set_ents_from_chars(Doc& doc, std::span<const CharEnt> ents, AlignmentPolicy policy,
                                  const DocPlace& place, const MisalignedSink& tell);

}  // namespace weft
