// Dependency trees as the records write them down: `heads` are absolute, `deps` the labels.
#pragma once

#include "framework/text/projective.h"
#include "tests/conformance/conformance_components/document.h"

namespace weft::conformance {

DependencyTree tree_of(const Json& json);

}  // namespace weft::conformance
