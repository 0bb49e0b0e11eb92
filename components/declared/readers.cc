// Names of spaCy 3.8 and its libraries of the kind `readers` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
srsly.read_msgpack.v1
  path path
  use_list bool = true
srsly.read_yaml.v1
  path path
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "readers", kNames); });

}  // namespace
}  // namespace weft
