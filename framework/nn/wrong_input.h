// A value of another kind than a layer takes, an array in the place of documents: the layers of a
// network do not fit together.
#pragma once

#include <string>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API WrongInput : public Error {
 public:
  explicit WrongInput(const std::string& message) : Error(ErrorKind::config, message) {}
};

}  // namespace weft
