// A batch whose loss is no number.
#pragma once

#include <string>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API LossError : public Error {
 public:
  LossError(const std::string& message, double loss)
      : Error(ErrorKind::diverged, message), loss_(loss) {}

  // A NaN or an infinity.
  double loss() const { return loss_; }

 private:
  double loss_;
};

}  // namespace weft
