// Text categories as MessagePack.
#pragma once

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/io/read_budget.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Reads a map from labels to numbers or booleans, which become the document's categories in the
// place of others; a NumPy scalar (a map with "nd", "type" and "data") becomes the number it holds.
// Throws Error(data) for anything else, for a label that is there twice, and where the budget is
// used up.
WEFT_API void read_cats(MsgpackReader& reader, ReadBudget& budget, Doc& doc);

WEFT_API void write_cats(const Doc& doc, MsgpackWriter& writer);

}  // namespace weft
