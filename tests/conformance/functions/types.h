// The types of functions.json as the registry's.
#pragma once

#include "registry/functions/type.h"

namespace weft::conformance {

// `description` is null or an object {"t": name, "args": [...], "values": [...]}. Throws
// Error(data) for a type that the suite does not document.
Type type_of(const Node& description);

// The opaque product of the suite.
ProductType widget_type();

}  // namespace weft::conformance
