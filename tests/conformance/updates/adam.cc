#include "tests/conformance/updates/adam.h"

#include <stdexcept>
#include <string>

#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft::conformance {

OptimizerPtr adam_of(const nlohmann::json& settings, const Catalogue& catalogue) {
  std::string text = "[optimizer]\n@optimizers = \"Adam.v1\"\n";
  for (const auto& [key, value] : settings.items()) text += key + " = " + value.dump() + "\n";
  Problems problems;
  const Config config = read_cfg(text, "optimizer", problems);
  auto result = resolve_at(config, "optimizer", catalogue, {}, problems);
  OptimizerPtr* optimizer =
      result && result->is_product() ? result->product().get<OptimizerPtr>() : nullptr;
  if (optimizer == nullptr) throw std::runtime_error("Adam.v1 cannot be made");
  return *optimizer;
}

}  // namespace weft::conformance
