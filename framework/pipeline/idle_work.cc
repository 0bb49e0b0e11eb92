#include "framework/pipeline/idle_work.h"

namespace weft {

IdleWork::~IdleWork() = default;

}  // namespace weft
