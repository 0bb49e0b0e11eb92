// Keys of a record that look like annotation and are none: mistyped, or of a tool that is not
// known. Without a search for them their annotation would be lost without a word.
#pragma once

#include "framework/text/records/annotated_record.h"
#include "framework/text/records/record_shape.h"

namespace weft {

// Throws Error(data), without a place, with the key and the nearest known ones. Fields of the user
// are not suspected once the record has annotation under a known key.
void refuse_mistyped_keys(const Node& record, const RecordShape& shape,
                          const AnnotatedRecord& found);

}  // namespace weft
