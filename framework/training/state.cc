#include "framework/training/state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

struct Counter {
  std::string_view name;
  std::int64_t TrainingState::*member;
};
constexpr std::array kCounters = {
    Counter{"step", &TrainingState::step},
    Counter{"epoch", &TrainingState::epoch},
    Counter{"batches_taken", &TrainingState::batches_taken},
    Counter{"sizes_taken", &TrainingState::sizes_taken},
    Counter{"sizes_at_epoch_start", &TrainingState::sizes_at_epoch_start},
    Counter{"words", &TrainingState::words},
    Counter{"words_at_evaluation", &TrainingState::words_at_evaluation},
};

struct Time {
  std::string_view name;
  double TrainingState::*member;
};
constexpr std::array kTimes = {
    Time{"seconds", &TrainingState::seconds},
    Time{"seconds_at_evaluation", &TrainingState::seconds_at_evaluation},
};

// Two for each component that a pipeline may have, and as many again for those of plugins.
constexpr std::size_t kMostLosses = 1024;
// Ranks may pass over short data several times in a step.
constexpr std::int64_t kMostPassesOfStep = std::int64_t{1} << 20;

[[noreturn]] void fail(std::string_view key) {
  throw Error(ErrorKind::data, fmt::format("its training state has no valid '{}'", key));
}

const Node& member(const Object& object, std::string_view key) {
  const Node* node = object.find(key);
  if (node == nullptr) fail(key);
  return *node;
}

std::int64_t integer_of(const Node& node, std::string_view key) {
  if (!std::holds_alternative<std::int64_t>(node.value())) fail(key);
  return node.as_integer();
}

// JSON does not tell 1.0 from 1 in every writer, so whole numbers are taken for times and losses
// too.
double number_of(const Node& node, std::string_view key) {
  if (node.is_float()) return node.as_float();
  return static_cast<double>(integer_of(node, key));
}

std::int64_t count_of(const Node& node, std::string_view key) {
  const std::int64_t count = integer_of(node, key);
  if (!is_count(count)) fail(key);
  return count;
}

double time_of(const Node& node, std::string_view key) {
  const double seconds = number_of(node, key);
  if (!std::isfinite(seconds) || seconds < 0) fail(key);
  return seconds;
}

// Numbers of which each is fine by itself, and which no run has beside each other.
void check_order(const TrainingState& state) {
  if (state.sizes_at_epoch_start > state.sizes_taken) fail("sizes_at_epoch_start");
  if (state.words_at_evaluation > state.words) fail("words_at_evaluation");
  if (state.seconds_at_evaluation > state.seconds) fail("seconds_at_evaluation");
  if (state.epoch / kMostPassesOfStep > state.step) fail("epoch");
  std::int64_t before = -1;
  for (const auto& [score, step] : state.results) {
    if (step > state.step || step <= before) fail("results");
    before = step;
  }
}

void read_losses(const Node& losses, TrainingState& state) {
  if (!losses.is_object() || losses.as_object().size() > kMostLosses) fail("losses");
  for (const auto& [name, node] : losses.as_object()) {
    state.losses[name] = number_of(node, "losses");
  }
}

void read_results(const Node& results, TrainingState& state) {
  if (!results.is_list()) fail("results");
  for (const Node& result : results.as_list()) {
    if (!result.is_list() || result.as_list().size() != 2) fail("results");
    state.results.emplace_back(number_of(result.as_list()[0], "results"),
                               count_of(result.as_list()[1], "results"));
  }
}

}  // namespace

std::int64_t best_step(const TrainingState& state) {
  const auto best = std::max_element(
      state.results.begin(), state.results.end(),
      [](const auto& left, const auto& right) { return left.first < right.first; });
  return best == state.results.end() ? 0 : best->second;
}

bool last_is_best(const TrainingState& state) {
  return !state.results.empty() &&
         std::all_of(state.results.begin(), state.results.end(), [&](const auto& result) {
           return result.first <= state.results.back().first;
         });
}

Node to_node(const TrainingState& state) {
  Object object;
  for (const Counter& counter : kCounters) object.set(counter.name, state.*counter.member);
  Object times;
  for (const Time& time : kTimes) times.set(time.name, state.*time.member);
  Object losses;
  for (const auto& [name, loss] : state.losses) losses.set(name, loss);
  object.set("losses", std::move(losses));
  List results;
  for (const auto& [score, step] : state.results) results.push_back(List{score, step});
  object.set("results", std::move(results));
  object.set("time", std::move(times));
  return object;
}

TrainingState training_state_from(const Node& node) {
  if (!node.is_object()) fail("step");
  const Object& object = node.as_object();
  TrainingState state;
  for (const Counter& counter : kCounters) {
    state.*counter.member = count_of(member(object, counter.name), counter.name);
  }
  const Node& times = member(object, "time");
  if (!times.is_object()) fail("time");
  for (const Time& time : kTimes) {
    state.*time.member = time_of(member(times.as_object(), time.name), time.name);
  }
  read_losses(member(object, "losses"), state);
  read_results(member(object, "results"), state);
  check_order(state);
  return state;
}

}  // namespace weft
