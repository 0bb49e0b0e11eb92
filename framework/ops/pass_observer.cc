#include "framework/ops/pass_observer.h"

namespace weft {

void PassObserver::op_ran(std::string_view, const OpTraits&, std::span<const DType>,
                          std::span<const DType>) {}
void PassObserver::chose_type(std::string_view, DType) {}
void PassObserver::went_forward(std::string_view, bool) {}
void PassObserver::went_back(std::string_view, bool, bool) {}

}  // namespace weft
