#include "tests/conformance/conformance_precision/trained.h"

#include <stdexcept>

#include "components/builtin.h"
#include "registry/building/resolve.h"

namespace replay {

std::vector<float> flattened(const json& values) {
  if (!values.is_array()) return {static_cast<float>(number(values))};
  std::vector<float> flat;
  for (const json& value : values) {
    const std::vector<float> part = flattened(value);
    flat.insert(flat.end(), part.begin(), part.end());
  }
  return flat;
}

weft::OptimizerPtr built_optimizer(const weft::Object& block) {
  weft::Object root;
  root.set("optimizer", block);
  weft::Catalogue catalogue;
  weft::add_builtin(catalogue);
  weft::Problems problems;
  const auto built = resolve_at(weft::Config(root), "optimizer", catalogue, {}, problems);
  if (!built) throw std::runtime_error(problems.front().str());
  return *built->product().get<weft::OptimizerPtr>();
}

}  // namespace replay
