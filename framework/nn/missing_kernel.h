// Says where an op is needed that has no kernel on the device at hand.
#pragma once

#include <string>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// Within a handler: throws the error on. Of a device (no kernel) with `where` in front of the
// message, "layer components.ner.model.chain.maxout", unless an inner layer has said so already.
[[noreturn]] WEFT_API void throw_on_from(const std::string& where, const Error& error);

}  // namespace weft
