// Exceptions of a component that are no Error of ours, as those of plugins may be: messages then
// name the component and the document.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

struct ComponentFailure {
  std::string component;
  std::string what;
};

// Runs a part of the component of that name. Errors of ours and std::bad_alloc pass through;
// anything else is thrown on as a ComponentFailure.
WEFT_API void run_component(const std::string& name, const std::function<void()>& part);

// Throws Error(internal) with the component, its own words and the document.
[[noreturn]] WEFT_API void throw_failure(const ComponentFailure& failure, const Doc& doc);
// The same of documents that it fails of together only.
[[noreturn]] void throw_failure(const ComponentFailure& failure);
// The same of the examples of a shard, any of which may be at fault.
[[noreturn]] WEFT_API void throw_failure(const ComponentFailure& failure,
                                         std::span<Example* const> examples);

}  // namespace weft
