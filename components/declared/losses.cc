// Names of spaCy 3.8 and its libraries of the kind `losses` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
CategoricalCrossentropy.v1
  *
  normalize bool = true
  names [str]? = null
  missing_value any = null
CategoricalCrossentropy.v2
  *
  normalize bool = true
  names [str]? = null
  missing_value any = null
  neg_prefix str? = null
CategoricalCrossentropy.v3
  *
  normalize bool = true
  names [str]? = null
  missing_value any = null
  neg_prefix str? = null
  label_smoothing float = 0.0
CosineDistance.v1
  *
  normalize bool = true
  ignore_zeros bool = false
L2Distance.v1
  *
  normalize bool = true
SequenceCategoricalCrossentropy.v1
  *
  normalize bool = true
  names [str]? = null
SequenceCategoricalCrossentropy.v2
  *
  normalize bool = true
  names [str]? = null
  neg_prefix str? = null
SequenceCategoricalCrossentropy.v3
  *
  normalize bool = true
  names [str]? = null
  missing_value any = null
  neg_prefix str? = null
  label_smoothing float = 0.0
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "losses", kNames); });

}  // namespace
}  // namespace weft
