#include "tests/conformance/conformance_components/scorer_named.h"

#include <stdexcept>

#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft::conformance {

Scorer scorer_named(const std::string& name, const Catalogue& catalogue) {
  Problems problems;
  const Config config = read_cfg("[scorer]\n@scorers = \"" + name + "\"\n", "scorer", problems);
  auto result = resolve_at(config, "scorer", catalogue, {}, problems);
  Scorer* scorer = result && result->is_product() ? result->product().get<Scorer>() : nullptr;
  if (scorer == nullptr) throw std::runtime_error("the scorer " + name + " cannot be made");
  return *scorer;
}

}  // namespace weft::conformance
