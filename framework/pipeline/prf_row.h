// Precision, recall and F of a label as scores and files have them.
#pragma once

#include "framework/pipeline/prf.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// {"p": …, "r": …, "f": …}, from 0 to 1.
WEFT_API Object row_of(const Prf& prf);

}  // namespace weft
