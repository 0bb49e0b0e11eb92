#include "framework/training/seed_functions.h"

#include <optional>

namespace weft {
namespace {

std::optional<std::int64_t> seed_in(const Config& values) {
  const Node* seed = values.find("training.seed");
  if (seed == nullptr || !seed->is_integer()) return std::nullopt;
  return seed->as_integer();
}

}  // namespace

std::uint64_t training_seed(const Config& values) {
  return static_cast<std::uint64_t>(seed_in(values).value_or(0));
}

void seed_functions(const Config& values, const Catalogue& catalogue) {
  if (const auto seed = seed_in(values)) catalogue.seed(*seed);
}

}  // namespace weft
