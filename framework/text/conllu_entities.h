// Entities in the last column of CoNLL-U (MISC), as spaCy's converter finds them: a part B-LABEL,
// I-LABEL, L-LABEL or U-LABEL with name= or NE= before it or nothing, or O.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/biluo.h"
#include "registry/base/export.h"

namespace weft {

// The key under which weft writes labels that spaCy's form cannot hold: weft.NE=B-creative-work.
inline constexpr std::string_view kOwnEntityKey = "weft.NE=";

// Whether `label` is of capital letters and '_' alone, which are all that spaCy's form can hold.
WEFT_API bool fits_misc(std::string_view label);

// The tag in a MISC column: "B-PER", "O" where there is none. Labels go through `ner_map`, in which
// "" makes an O.
WEFT_API std::string misc_tag(std::string_view misc,
                              const std::map<std::string, std::string>& ner_map);

// Entities of one tag for each word: an entity goes on as I or L of its label follow, whatever
// letter it began with.
WEFT_API std::vector<TagSpan> misc_entities(const std::vector<std::string>& tags);

// Whether a file has a tag in a MISC column anywhere, O included: then all of its words are
// annotated. Throws as InputLines.
WEFT_API bool has_misc_tags(const std::string& file);

}  // namespace weft
