#include "framework/lemmas/lemma_work.h"

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::uint64_t kSteps = 100'000'000, kStepsPerToken = 1'000;

}  // namespace

LemmaWork::LemmaWork(int tokens)
    : tokens_(tokens), left_(kSteps + kStepsPerToken * static_cast<std::uint64_t>(tokens)) {}

void LemmaWork::give_up() const {
  throw Error(ErrorKind::data, fmt::format("rules for lemmas give up on a document of {} tokens: "
                                           "they have too many endings for its words",
                                           tokens_));
}

}  // namespace weft
