// Entities that their source quotes beside their offsets: where both say different things, the
// offsets count something else than characters.
#pragma once

#include <string>
#include <vector>

#include "framework/text/char_ents.h"
#include "framework/text/doc.h"
#include "framework/text/records/annotated_record.h"

namespace weft {

// The spans as entities by characters. One whose quote is not what stands there, white space aside,
// is told and doubtful. Throws Error(data) for the first of them under `error`, and where so many
// overlap that comparing them takes too long (docs/limits.md).
std::vector<CharEnt> quoted_ents(const Doc& doc, const std::vector<RecordSpan>& spans,
                                 AlignmentPolicy policy, const DocPlace& place,
                                 const MisalignedSink& tell);

}  // namespace weft
