// Entities as one tag per token: BILUO, IOB2 and IOB1, as text and as numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "framework/text/gold_tag.h"
#include "registry/base/export.h"

namespace weft {

// How tags in a file are meant.
enum class TagScheme {
  any,    // IOB1, IOB2 and BILUO alike: an I after nothing or after another label begins
  iob1,   // the same without L and U
  iob2,   // every entity begins with B
  biluo,  // every entity of two or more ends with L, every entity of one is U
};

struct TagSpan {
  int start = 0;
  int end = 0;
  std::string label;
  bool operator==(const TagSpan&) const = default;
};

struct DecodedTags {
  std::vector<TagSpan> spans;
  std::vector<int> missing;  // tokens tagged "-" or ""
};

// A tag that cannot stand where it stands.
struct TagFault {
  int token = 0;
  std::string message;
};

// Reads tags like "B-PER", "O", "-". Stops at the first fault.
WEFT_API std::optional<TagFault> decode_tags(std::span<const std::string> tags, TagScheme scheme,
                                             DecodedTags& decoded);

// The entities of a document as tags; blocked tokens are out, tokens without annotation missing.
// Throws Error(data) as Doc::ents.
WEFT_API std::vector<GoldTag> biluo_tags(const Doc& doc);

// The same as text: "B-PER", "O", "-".
WEFT_API std::vector<std::string> biluo_strings(const Doc& doc);

// Sets the entities that the tags describe; their labels go to the vocab's strings. Throws
// Error(data) with the number of the token where the tags make no sense or are not one per token.
WEFT_API void set_ents_from_tags(Doc& doc, std::span<const std::string> tags,
                                 TagScheme scheme = TagScheme::any);

}  // namespace weft
