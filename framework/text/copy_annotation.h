// Annotation of a document on another one with the same number of tokens.
#pragma once

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Everything but tokens and norms. Throws Error(data) where the numbers of tokens differ.
WEFT_API void copy_annotation(const Doc& from, Doc& to);

// The columns of a token's values that stand beside those of its word.
inline constexpr Attr kAnnotationColumns[] = {Attr::lemma,  Attr::pos,      Attr::tag,
                                              Attr::dep,    Attr::ent_type, Attr::ent_kb_id,
                                              Attr::ent_id, Attr::morph};

}  // namespace weft
