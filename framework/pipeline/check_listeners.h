// Finds the component that a listener hears, and listeners that hear none.
#pragma once

#include <cstddef>
#include <span>

#include "framework/pipeline/language.h"
#include "framework/pipeline/listener.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"

namespace weft {

// The component that a listener hears behind those of `before`: the last that publishes vectors and
// has its name. Null if there is none.
WEFT_API const NamedComponent* heard(std::span<const NamedComponent> before,
                                     const Listener& listener);

// Every enabled component that listens finds vectors of its width before it; problems say how to
// mend it. Only the first `count` components are asked.
WEFT_API void check_listeners(const Language& nlp, std::size_t count, Problems& problems);

}  // namespace weft
