#include "framework/training/pretraining/state.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "framework/training/state.h"
#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {
namespace {

struct Counter {
  std::string_view name;
  std::int64_t PretrainState::*member;
};
constexpr std::array kCounters = {
    Counter{"pass", &PretrainState::pass},
    Counter{"batches_taken", &PretrainState::batches_taken},
    Counter{"sizes_taken", &PretrainState::sizes_taken},
    Counter{"sizes_at_pass_start", &PretrainState::sizes_at_pass_start},
    Counter{"step", &PretrainState::step},
    Counter{"words", &PretrainState::words},
    Counter{"words_at_row", &PretrainState::words_at_row},
};

struct Sum {
  std::string_view name;
  double PretrainState::*member;
};
constexpr std::array kSums = {
    Sum{"loss", &PretrainState::loss},
    Sum{"loss_at_row", &PretrainState::loss_at_row},
    Sum{"pass_loss", &PretrainState::pass_loss},
};

[[noreturn]] void fail(std::string_view key) {
  throw Error(ErrorKind::data, fmt::format("the state of pretraining has no valid '{}'", key));
}

// Numbers of which each is fine by itself, and which no run has beside each other.
void check_order(const PretrainState& state) {
  if (state.sizes_at_pass_start > state.sizes_taken) fail("sizes_at_pass_start");
  if (state.words_at_row > state.words) fail("words_at_row");
  if (state.batches_taken > state.step) fail("batches_taken");
}

const Node& valid_member(const Node& node, std::string_view key) {
  const Node* found = node.is_object() ? node.as_object().find(key) : nullptr;
  if (found == nullptr) fail(key);
  return *found;
}

}  // namespace

Node to_node(const PretrainState& state) {
  Object object;
  for (const Counter& counter : kCounters) object.set(counter.name, state.*counter.member);
  for (const Sum& sum : kSums) object.set(sum.name, state.*sum.member);
  return object;
}

PretrainState pretrain_state_from(const Node& node) {
  PretrainState state;
  for (const Counter& counter : kCounters) {
    const auto* count = std::get_if<std::int64_t>(&valid_member(node, counter.name).value());
    if (count == nullptr || !is_count(*count)) fail(counter.name);
    state.*counter.member = *count;
  }
  for (const Sum& sum : kSums) {
    const auto number = number_in(valid_member(node, sum.name));
    if (!number || !std::isfinite(*number)) fail(sum.name);
    state.*sum.member = *number;
  }
  check_order(state);
  return state;
}

}  // namespace weft
