// Documents for people: each text with its entities below it, and the spans of its groups.
#pragma once

#include <iosfwd>
#include <memory>

#include "framework/text/doc_writer.h"

namespace weft::tools {

// Writes to `out`, which outlives the writer; nothing of the text can act on a terminal. `add`
// throws Error(system) where the output fails.
std::unique_ptr<DocWriter> entity_lines(std::ostream& out);

}  // namespace weft::tools
