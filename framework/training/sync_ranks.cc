#include "framework/training/sync_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/comm/message.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/precision/unscale.h"

namespace weft {
namespace {

// The values of all ranks, in their order.
template <class T>
std::vector<T> gathered(Communicator& comm, std::span<const T> mine, DType type) {
  struct Both {
    std::vector<T> in, out;
  };
  auto both = std::make_shared<Both>();
  both->in.assign(mine.begin(), mine.end());
  both->out.resize(mine.size() * static_cast<std::size_t>(comm.size()));
  comm.all_gather({both->in.data(), both->in.size(), type},
                  {both->out.data(), both->out.size(), type}, both)
      .wait();
  return std::move(both->out);
}

}  // namespace

SyncRanks::SyncRanks(std::shared_ptr<Communicator> comm, const SyncOptions& options)
    : CommRanks(std::move(comm), options.min_shards), options_(options) {}

void SyncRanks::begin(ShardRunner& runner, Optimizer& optimizer) {
  CommRanks::begin(runner, optimizer);
  divide_parameters(optimizer);
  mine_.clear();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (is_mine(i)) mine_.push_back(parameters_[i]);
  }
}

// ---- a step

// A rank sees the gradients of its own parameters alone. All skip the step or none does, and names
// come in the order of the parameters, so that every rank says the same.
StepGradients SyncRanks::agree(StepGradients mine) {
  MessageWriter message;
  message.put(mine.status);
  for (const std::string& name : mine.bad) message.put_text(name);
  std::map<std::string, bool> bad;
  StepGradients all;
  for (const std::string& text : all_gather_texts(*comm_, message.take())) {
    MessageReader reader(text);
    const auto status = reader.get<GradientStatus>();
    if (status == GradientStatus::non_finite || all.status == GradientStatus::none) {
      all.status = status;
    }
    while (!reader.is_at_end()) bad[reader.get_text()] = true;
  }
  for (const NamedParameter& named : parameters_) {
    if (bad.erase(named.name) > 0) all.bad.push_back(named.name);
  }
  for (const auto& [name, _] : bad) all.bad.push_back(name);
  return all;
}

// The squares of each parameter come from its owner and are added in the order of one rank.
void SyncRanks::clip(ShardRunner& runner, double most) const {
  if (most == 0.0) return;
  // A sum of squares over all parameters, taken in any other order, may differ in its last bit, and
  // with it the factor of all gradients. So the squares of single parameters are exchanged.
  const std::vector<double> own = squares_by_parameter(parameters_, runner.gradients());
  const std::vector<double> all = gathered<double>(*comm_, own, DType::f64);
  double squares = 0.0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    squares += all[static_cast<std::size_t>(owners_[i]) * parameters_.size() + i];
  }
  const double norm = std::sqrt(squares);
  if (std::isfinite(norm)) runner.gradients().scale(clip_coefficient(norm, most));
}

// The error that one rank would have met first ends the step of all.
void SyncRanks::agree_on_error(const StepError* mine) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  // Gradients are looked at before the outcome of the step.
  std::int64_t order = none;
  std::int64_t cause = 0;
  if (mine != nullptr) {
    const auto found =
        std::find_if(parameters_.begin(), parameters_.end(),
                     [&](const NamedParameter& named) { return named.name == mine->parameter(); });
    const auto count = static_cast<std::int64_t>(parameters_.size());
    order = found - parameters_.begin() + (mine->cause() == StepError::Cause::step ? count : 0);
    cause = static_cast<std::int64_t>(mine->cause());
  }
  const std::int64_t told[] = {order, cause};
  const std::vector<std::int64_t> all = gathered<std::int64_t>(*comm_, told, DType::i64);
  std::size_t first = 0;
  for (std::size_t rank = 0; 2 * rank < all.size(); ++rank) {
    if (all[2 * rank] < all[2 * first]) first = rank;
  }
  if (all[2 * first] == none) return;
  const auto index = static_cast<std::size_t>(all[2 * first]) % parameters_.size();
  throw StepError(parameters_[index].name, static_cast<StepError::Cause>(all[2 * first + 1]));
}

void SyncRanks::apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) {
  clip(runner, most_norm);
  bool has_agreed = false;
  try {
    // The optimizer asks before it writes anything: at that moment all ranks know whether one of
    // them has failed, and none has changed a weight yet.
    optimizer.step(runner.context(), mine_, runner.gradients(), runner.tasks(), [&] {
      has_agreed = true;
      agree_on_error(nullptr);
    });
  } catch (const StepError& error) {
    if (!has_agreed) agree_on_error(&error);
    throw;
  }
  share_values();
}

bool SyncRanks::interrupted(bool mine, bool) {
  return any(mine);
}

bool SyncRanks::fail(const Error& error) noexcept {
  if (is_agreed_ || error.kind() == ErrorKind::diverged) return true;
  return CommRanks::fail(error);
}

}  // namespace weft
