#include "components/weft.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {

Setting::Setting() : english(blank("en")) {}

}  // namespace weft::conformance
