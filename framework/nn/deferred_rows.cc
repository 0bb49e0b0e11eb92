#include "framework/nn/deferred_rows.h"

namespace weft {

DeferredRows::~DeferredRows() = default;

}  // namespace weft
