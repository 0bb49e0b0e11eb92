// Names whose id is a small fixed number instead of a hash, and the attributes among them.
// Source: spaCy 3.8.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

using StringId = std::uint64_t;

// The per-token attributes a config or a corpus file can name, with spaCy's numbers.
enum class Attr : std::uint32_t {
  is_alpha = 1,
  is_ascii,
  is_digit,
  is_lower,
  is_punct,
  is_space,
  is_title,
  is_upper,
  like_url,
  like_num,
  like_email,
  is_stop,
  is_bracket = 14,
  is_quote,
  is_left_punct,
  is_right_punct,
  is_currency,
  orth = 65,
  lower,
  norm,
  shape,
  prefix,
  suffix,
  length,
  lemma = 73,
  pos,
  tag,
  dep,
  ent_iob,
  ent_type,
  head,
  sent_start,
  spacy,
  ent_kb_id = 452,
  morph,
  ent_id,
};

// The number of reserved names; their ids are 0 ("") and 1 ... kSymbolCount.
inline constexpr StringId kSymbolCount = 456;

// The name with this id, or nothing where `id` is no reserved one. The view never ends.
WEFT_API std::optional<std::string_view> symbol_name(StringId id);

// The id of a string: its number if it is reserved, else its hash. "" gives 0.
WEFT_API StringId string_id(std::string_view text);

// The attribute called `name`, in any letter case ("NORM", "norm"), or nothing.
WEFT_API std::optional<Attr> attr_of(std::string_view name);

}  // namespace weft
