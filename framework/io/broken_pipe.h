// Nobody reads any more what is written: `weft apply … | head` has had its lines.
#pragma once

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// An Error(system); a program whose standard output it is ends without a word.
class WEFT_API BrokenPipe : public Error {
 public:
  using Error::Error;
};

}  // namespace weft
