// Parts that both exports of Label Studio have.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/text/records/annotated_record.h"
#include "registry/value/config.h"

namespace weft {

// The field `text`, or the only other field that is text and stands under none of `others`. Throws
// Error(data), without a place, that names the fields where there are several.
std::string only_text_of(const Object& fields, std::span<const std::string_view> others);

// A region {"start", "end", "text", "labels"}, or {"choices": ["sports"]}. Other results are
// passed over; true where something was taken. Throws Error(data), without a place.
bool add_result(const Node& value, AnnotatedRecord& into);

}  // namespace weft
