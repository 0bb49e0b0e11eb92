#include "framework/training/sync_ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
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
  std::vector<Shape> shapes;
  for (const NamedParameter& named : parameters_) shapes.push_back(named.parameter->value.shape());
  divide_parameters(Ownership::of_blocks(shapes, comm_->size()), optimizer);
  optimizer_ = &optimizer;
  note_sizes();
}

void SyncRanks::note_sizes() {
  mine_.clear();
  sizes_.clear();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (is_mine(i)) mine_.push_back(parameters_[i]);
    sizes_.push_back(parameters_[i].parameter->value.size());
  }
}

// Labels that came with a batch made rows of some arrays, on all ranks alike.
void SyncRanks::follow_growth() {
  bool has_grown = false;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].parameter->value.size() == sizes_[i]) continue;
    optimizer_->divide(parameters_[i], my_part(i));
    has_grown = true;
  }
  if (has_grown) note_sizes();
}

// ---- a step

// A rank sees the gradients of its own parameters alone. All skip the step or none does, and names
// come in the order of the parameters, so that every rank says the same. Ranks whose loss scales
// differ have added up gradients of differently scaled losses.
StepGradients SyncRanks::agree(StepGradients mine, const RankScale& scale) {
  MessageWriter message;
  message.put(scale);
  message.put(mine.status);
  for (const std::string& name : mine.bad) message.put_text(name);
  std::map<std::string, bool> bad;
  std::vector<RankScale> scales;
  StepGradients all;
  for (const std::string& text : all_gather_texts(*comm_, message.take())) {
    MessageReader reader(text);
    scales.push_back(reader.get<RankScale>());
    const auto status = reader.get<GradientStatus>();
    if (status == GradientStatus::non_finite || all.status == GradientStatus::none) {
      all.status = status;
    }
    while (!reader.is_at_end()) bad[reader.get_text()] = true;
  }
  const Notices differences = check_ranks(scales);
  if (!differences.empty()) throw Error(ErrorKind::internal, differences.front().str());
  for (const NamedParameter& named : parameters_) {
    if (bad.erase(named.name) > 0) all.bad.push_back(named.name);
  }
  for (const auto& [name, _] : bad) all.bad.push_back(name);
  return all;
}

// The squares of each block come from its owner and are added in the order of one rank: a sum that
// is taken in any other order may differ in its last bit, and with it the factor of all gradients.
// Every rank knows how many blocks the others have, and so where they stand.
std::vector<double> SyncRanks::add_up(std::span<const BlockSums> mine) const {
  struct Buffers {
    std::vector<double> in, out;
  };
  const auto buffers = std::make_shared<Buffers>();
  const auto blocks_of = [this](std::size_t i, std::size_t rank) {
    const Shape shape = parameters_[i].parameter->value.shape();
    return static_cast<std::size_t>(
        count_blocks(part(i, static_cast<int>(rank)).size(), block_length(shape)));
  };
  auto next = mine.begin();
  std::vector<std::size_t> bytes(static_cast<std::size_t>(comm_->size()), 0);
  std::vector<bool> is_asked;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    is_asked.push_back(next != mine.end() && next->named->parameter == parameters_[i].parameter);
    std::vector<double> sums(blocks_of(i, static_cast<std::size_t>(comm_->rank())), 0.0);
    if (is_asked.back()) sums = (next++)->sums;
    buffers->in.insert(buffers->in.end(), sums.begin(), sums.end());
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
      bytes[rank] += blocks_of(i, rank) * sizeof(double);
    }
  }
  std::vector<std::size_t> at(bytes.size(), 0);
  for (std::size_t r = 1; r < at.size(); ++r) at[r] = at[r - 1] + bytes[r - 1] / sizeof(double);
  buffers->out.resize(at.back() + bytes.back() / sizeof(double));
  comm_
      ->all_gather_v({buffers->in.data(), buffers->in.size(), DType::f64},
                     {buffers->out.data(), buffers->out.size(), DType::f64}, bytes, buffers)
      .wait();
  std::vector<double> all;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    double sum = 0.0;
    for (std::size_t rank = 0; rank < at.size(); ++rank) {
      for (std::size_t n = blocks_of(i, rank); n > 0; --n) sum += buffers->out[at[rank]++];
    }
    if (is_asked[i]) all.push_back(sum);
  }
  return all;
}

void SyncRanks::clip(ShardRunner& runner, double most) const {
  if (most == 0.0) return;
  std::vector<BlockSums> mine;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    mine.push_back({&parameters_[i],
                    squares_by_block(*parameters_[i].parameter, my_part(i), runner.gradients())});
  }
  const std::vector<double> all = add_up(mine);
  const double norm = std::sqrt(std::accumulate(all.begin(), all.end(), 0.0));
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

// A rank's step, of which the others make their parts at the same time.
class SyncRanks::Peers final : public StepPeers {
 public:
  explicit Peers(SyncRanks& ranks) : ranks_(ranks) {}
  std::vector<double> add_up(std::span<const BlockSums> mine) override {
    return ranks_.add_up(mine);
  }
  // At that moment all ranks know whether one of them has failed, and none has changed a weight
  // yet.
  void agree() override {
    has_agreed_ = true;
    ranks_.agree_on_error(nullptr);
  }
  bool has_agreed() const { return has_agreed_; }

 private:
  SyncRanks& ranks_;
  bool has_agreed_ = false;
};

void SyncRanks::apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) {
  clip(runner, most_norm);
  Peers peers(*this);
  try {
    optimizer.step(runner.context(), mine_, runner.gradients(), runner.tasks(), &peers);
  } catch (const StepError& error) {
    if (!peers.has_agreed()) agree_on_error(&error);
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
