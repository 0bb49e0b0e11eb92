// Says where an op is needed that has no kernel on the device at hand, and where a layer is given a
// value that it cannot take.
#pragma once

#include <string>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// An error of a device with the place of the pipeline in front of its message.
class WEFT_API MissingKernel : public Error {
 public:
  MissingKernel(const std::string& where, const Error& error)
      : Error(error.kind(), where + ": " + error.message()) {}
};

// Within a handler: throws the error on. One of a device (no kernel) as a MissingKernel at `where`,
// "layer components.ner.model.chain.maxout", unless an inner layer has made it one already; a
// WrongInput as an Error(config) at `where`.
[[noreturn]] WEFT_API void throw_on_from(const std::string& where, const Error& error);

}  // namespace weft
