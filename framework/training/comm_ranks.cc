#include "framework/training/comm_ranks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/reused_bytes.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/ownership.h"
#include "framework/training/parts_exchange.h"
#include "framework/training/parts_in_turn.h"
#include "framework/training/root_work.h"
#include "framework/training/spread_annotation.h"
#include "framework/training/state_message.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::string layout_of(std::span<const NamedParameter> parameters) {
  std::string text;
  for (const NamedParameter& named : parameters) {
    text += fmt::format("{} {}\n", named.name, named.parameter->value.shape().str());
  }
  return text;
}

}  // namespace

CommRanks::CommRanks(std::shared_ptr<Communicator> comm, std::size_t min_shards)
    : RunRanks(min_shards), comm_(std::move(comm)) {}

// ---- the start

// Parameters are exchanged by their number; names and shapes are compared once, as a hash.
void CommRanks::check_layout() const {
  const std::vector<std::string> all = all_gather_texts(*comm_, sha256(layout_of(parameters_)));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all.front()) continue;
    throw Error(ErrorKind::config,
                fmt::format("ranks 0 and {} have other parameters or parameters of other sizes: "
                            "their labels or their data differ",
                            rank));
  }
}

void CommRanks::begin(ShardRunner& runner, Optimizer&) {
  const auto all = runner.parameters();
  parameters_.assign(all.begin(), all.end());
  check_layout();
  // Rank 0 has the weights that all begin with.
  ownership_ = Ownership::of_root(parameters_.size(), comm_->size());
  CommRanks::share_weights();
  runner.divide(this, min_shards());
}

// Moments and averages are kept by the owner alone: with P ranks each has about a P-th of them.
void CommRanks::divide_parameters(Ownership ownership, Optimizer& optimizer) {
  ownership_ = std::move(ownership);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    optimizer.divide(parameters_[i], my_part(i));
  }
}

Shard CommRanks::own(std::size_t shards) const {
  const auto rank = static_cast<std::size_t>(comm_->rank());
  const auto ranks = static_cast<std::size_t>(comm_->size());
  return {rank * shards / ranks, (rank + 1) * shards / ranks};
}

// ---- decisions

// The flags of all ranks in one exchange, which for so few bytes is sooner over than a maximum.
bool CommRanks::any(bool mine) const {
  struct Flags {
    std::uint8_t mine;
    std::vector<std::uint8_t> all;
  };
  const auto flags = std::make_shared<Flags>();
  flags->mine = mine ? 1 : 0;
  flags->all.resize(static_cast<std::size_t>(comm_->size()));
  comm_
      ->all_gather({&flags->mine, 1, DType::u8}, {flags->all.data(), flags->all.size(), DType::u8},
                   flags)
      .wait();
  return std::any_of(flags->all.begin(), flags->all.end(), [](auto flag) { return flag != 0; });
}

bool CommRanks::as_root(bool mine) {
  auto flag = std::make_shared<std::uint8_t>(mine ? 1 : 0);
  comm_->broadcast({flag.get(), 1, DType::u8}, 0, flag).wait();
  return *flag != 0;
}

// ---- between steps

void CommRanks::share_weights() {
  share_types();
  share_values();
}

// Averages are f32 also where weights have 16 bits (O3): an array is exchanged like that of its
// owner, which goes back to the old one later.
void CommRanks::share_types() {
  std::string mine;
  for (const NamedParameter& named : parameters_) {
    mine += static_cast<char>(named.parameter->value.dtype());
  }
  const std::vector<std::string> all = all_gather_texts(*comm_, mine);
  others_.resize(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& parameter = *parameters_[i].parameter;
    const int owner = ownership_.owner(i);
    const std::string& types = all[static_cast<std::size_t>(owner)];
    if (types.size() != parameters_.size()) {
      throw PeerLost(fmt::format("rank {} sent types of other parameters", owner));
    }
    const auto type = static_cast<DType>(types[i]);
    if (type > DType::u8) throw PeerLost(fmt::format("rank {} sent types that are none", owner));
    if (type == parameter.value.dtype()) continue;
    std::swap(parameter.value, others_[i]);
    const Shape shape = others_[i].shape();  // a label that came late makes it another one
    if (!parameter.value || parameter.value.dtype() != type || parameter.value.shape() != shape) {
      parameter.value = Tensor::zeros(shape, type);
    }
    ++parameter.version;
  }
}

// A rank's parts of all parameters, one behind the other.
PartsInTurn CommRanks::parts_of(int rank) const {
  std::vector<std::span<std::byte>> parts;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const ArrayPart owned = part(i, rank);
    if (owned.is_empty()) continue;
    const View array = parameters_[i].parameter->value.view();
    const std::size_t element = size_of(array.dtype);
    parts.emplace_back(
        static_cast<std::byte*>(array.data) + static_cast<std::size_t>(owned.begin) * element,
        static_cast<std::size_t>(owned.size()) * element);
  }
  return PartsInTurn(std::move(parts));
}

void CommRanks::share_values() {
  std::vector<PartsInTurn> parts;
  parts.reserve(static_cast<std::size_t>(comm_->size()));
  for (int rank = 0; rank < comm_->size(); ++rank) parts.push_back(parts_of(rank));
  PartsExchange(*comm_, std::move(parts), values_).run();
  // A rank with a part has written to that since anybody read the weights, and has counted it: what
  // it knows of its own part stays known.
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!is_mine(i)) ++parameters_[i].parameter->version;
  }
}

void CommRanks::on_root(const std::function<void()>& work) {
  do_on_root(*comm_, work);
}

void CommRanks::annotate(const Language& nlp, std::span<Doc* const> docs, WorkerPool& pool) {
  annotate_on_all_ranks(*comm_, nlp, docs, pool);
}

std::optional<Scores> CommRanks::from_root(std::optional<Scores> scores) {
  const std::string text = broadcast_text(*comm_, scores ? to_json(Node(*scores)) : std::string());
  if (is_root()) return scores;
  if (text.empty()) return std::nullopt;
  auto read = parse_json(text);
  if (!read || !read->is_object()) throw PeerLost("rank 0 sent scores that cannot be read");
  return std::move(read->as_object());
}

std::map<std::string, OptimizerState> CommRanks::states(const Optimizer& optimizer) {
  OptimizerStates all = optimizer.states_on_host();
  const std::string mine = is_root() ? std::string() : write_states(all);
  const std::vector<std::string> texts = gather_on_root(*comm_, mine);
  if (!is_root()) return all;
  std::vector<OptimizerStates> of_ranks = {all};
  for (const std::string& text : texts) of_ranks.push_back(read_states(text));
  for (std::size_t i = 0; i < parameters_.size(); ++i) join(i, of_ranks, all);
  return all;
}

// The state of a whole parameter from those of its parts.
void CommRanks::join(std::size_t parameter, std::span<const OptimizerStates> of_ranks,
                     OptimizerStates& all) const {
  const NamedParameter& named = parameters_[parameter];
  OptimizerState whole;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    const auto found = of_ranks[rank].find(named.name);
    const ArrayPart owned = part(parameter, static_cast<int>(rank));
    if (owned.is_empty() || found == of_ranks[rank].end()) continue;
    join_part(found->second, owned, named.parameter->value.shape(), whole);
  }
  if (whole.updates > 0) all[named.name] = whole;
}

bool CommRanks::fail(const Error& error) noexcept {
  try {
    comm_->abort(
        fmt::format("rank {} ({}) has ended: {}", comm_->rank(), host_name(), error.what()));
  } catch (const std::exception&) {
    comm_->abort("a rank has ended");
  }
  return false;
}

}  // namespace weft
