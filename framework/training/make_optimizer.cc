#include "framework/training/make_optimizer.h"

#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"

namespace weft {

OptimizerPtr make_optimizer(const Config& values, const Catalogue& catalogue) {
  Problems problems;
  const auto made = resolve_at(values, "training.optimizer", catalogue, {}, problems);
  throw_errors(std::move(problems));
  const OptimizerPtr* optimizer =
      made->is_product() ? made->product().get<OptimizerPtr>() : nullptr;
  if (optimizer == nullptr) {
    throw Error(ErrorKind::config,
                fmt::format("[training.optimizer] is {}, not an optimizer", made->type_name()));
  }
  return *optimizer;
}

}  // namespace weft
