// The choices of a drawing: labels, links, and the look of trees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

struct RenderOptions {
  // Entities and spans of these labels alone, in capitals; all without.
  std::vector<std::string> labels = {};
  // The address behind an entity's id, with {} in the id's place:
  // "https://www.wikidata.org/wiki/{}"
  std::string link = {};
  std::string spans_key = "sc";  // the group that is drawn
  bool right_to_left = false;    // the direction of the text

  // ---- dependencies
  bool compact = false;               // square arcs, and less room
  bool lemmas = false;                // a line of their own
  bool fine_grained = false;          // tags in the place of parts of speech
  bool collapse_punctuation = true;   // marks are drawn with the word before
  bool collapse_noun_chunks = false;  // noun phrases are drawn as one word
};

// Throws Error(usage) for a link that does not begin with http:// or https://, or has no {}.
WEFT_API void check_link(const RenderOptions& options);

bool shows_label(const RenderOptions& options, std::string_view label);

// The address of an id: the link with it, or "#" without a link and for an id that is not shown
// whole.
std::string address_of(const RenderOptions& options, std::string_view id);

// Whether texts of the language are written from right to left. Source: spaCy 3.8, writing_system.
WEFT_API bool is_right_to_left(std::string_view lang);

}  // namespace weft
