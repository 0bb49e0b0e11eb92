#include "framework/training/async_ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/comm/launch.h"
#include "framework/comm/message.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/gradient_message.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

enum class Kind : std::uint8_t { step, meeting };

// How long a message takes that was sent already.
constexpr std::chrono::milliseconds kSoon{5};

// The most that a message of a step can be: gradients and weights of all parameters, rows and their
// numbers, and the words in between.
std::size_t longest_message(std::span<const NamedParameter> parameters) {
  constexpr std::size_t per_parameter = 64;
  std::size_t bytes = 1024;
  for (const NamedParameter& named : parameters) {
    const auto size = static_cast<std::size_t>(named.parameter->value.size());
    bytes += 3 * size * sizeof(float) + per_parameter;
  }
  return bytes;
}

[[noreturn]] void refuse(const char* what) {
  throw PeerLost(fmt::format("a rank sent {} that do not fit the parameters of this one", what));
}

// Of the first parameter that has one which is no number.
void check_finite(std::span<const NamedParameter> parameters, const Gradients& gradients) {
  const std::vector<double> squares = squares_by_parameter(parameters, gradients);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (!std::isfinite(squares[i])) {
      throw StepError(parameters[i].name, StepError::Cause::gradient);
    }
  }
}

}  // namespace

AsyncRanks::AsyncRanks(const std::shared_ptr<Communicator>& comm, const AsyncOptions& options)
    : ApartRanks(comm, options.min_shards), options_(options) {}

void AsyncRanks::begin(ShardRunner& runner, Optimizer& optimizer) {
  ApartRanks::begin(runner, optimizer);
  std::vector<std::size_t> sizes;
  for (const NamedParameter& named : parameters_) {
    sizes.push_back(static_cast<std::size_t>(named.parameter->value.size()));
  }
  divide_parameters(Ownership::of_arrays(sizes, comm_->size()), optimizer);
  sizes_ = std::move(sizes);
  runner_ = &runner;
  optimizer_ = &optimizer;
  mailbox_ = std::make_unique<Mailbox>(comm_, longest_message(parameters_));
  peers_.assign(static_cast<std::size_t>(comm_->size()), {});
  versions_.assign(parameters_.size(), 0);
  waiting_.assign(parameters_.size(), 0);
}

// ---- a step

// Own messages are written before those of others are read, since reading brings newer weights, and
// the versions that are sent have to be those that the gradients were computed from.
void AsyncRanks::apply(ShardRunner& runner, Optimizer&, double most_norm) {
  refuse_growth();
  Gradients& gradients = runner.gradients();
  // An owner could not tell from which documents they came.
  check_finite(parameters_, gradients);
  clip_together(runner.context(), parameters_, gradients, most_norm);
  for (const NamedParameter& named : parameters_) gradients.numbers(*named.parameter);  // in f32
  std::vector<MessageWriter> messages = step_messages(gradients);
  take_own(gradients);
  receive_arrived();
  send(std::move(messages));
}

// The ranks are at different steps, and could not have the other sizes at the same time.
void AsyncRanks::refuse_growth() const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (static_cast<std::size_t>(parameters_[i].parameter->value.size()) == sizes_[i]) continue;
    throw Error(
        ErrorKind::data,
        fmt::format("{} has grown: this batch has a label that no document before had. With "
                    "async.v1 all labels are to be known from the beginning; let `weft init "
                    "labels` write them, and name the files in [initialize.components]",
                    parameters_[i].name));
  }
}

// A step that was left out is told of as well, so that the others know how far this rank is.
void AsyncRanks::stepped(std::int64_t step) {
  refuse_growth();
  ApartRanks::stepped(step);
  if (!has_sent_) send(step_messages({}));
  has_sent_ = false;
  ++steps_;
  wait_for("a step", [this](const Peer& peer) {
    return !peer.is_there && steps_ - peer.steps > options_.max_ahead;
  });
}

// ---- what is sent

// To each rank the gradients of its parameters, before newer weights come.
std::vector<MessageWriter> AsyncRanks::step_messages(const Gradients& gradients) const {
  std::vector<MessageWriter> messages(peers_.size());
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) continue;
    MessageWriter& message = messages[static_cast<std::size_t>(rank)];
    const auto theirs = [&](std::size_t i) { return part(i, rank); };
    message.put(Kind::step);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!theirs(i).is_empty()) message.put(versions_[i]);
    }
    write_gradients(message, gradients, parameters_, theirs);
  }
  return messages;
}

// With the weights that have changed here.
void AsyncRanks::send(std::vector<MessageWriter> messages) {
  has_sent_ = true;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) continue;
    MessageWriter& message = messages[static_cast<std::size_t>(rank)];
    write_weights(message);
    mailbox_->send(rank, message.take());
  }
  changed_.clear();
}

void AsyncRanks::write_weights(MessageWriter& message) const {
  message.put<std::uint64_t>(changed_.size());
  for (const std::size_t i : changed_) {
    const Tensor& value = parameters_[i].parameter->value;
    message.put<std::uint64_t>(i);
    message.put(versions_[i]);
    message.put<std::uint64_t>(value.bytes());
    message.put_bytes(value.cview().data, value.bytes());
  }
}

// ---- what comes

void AsyncRanks::listen() {
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank() || peers_[static_cast<std::size_t>(rank)].is_there) continue;
    mailbox_->listen(rank);
  }
}

// One message of each rank would do where all are as fast, but would leave those before it waiting
// for good: gradients and weights would be older than they need to be. Looking a little longer is
// for nothing only where another rank is slower, for which this one has to wait anyway.
void AsyncRanks::receive_arrived() {
  listen();
  const auto is_behind = [this](std::size_t rank) {
    return static_cast<int>(rank) != comm_->rank() && !peers_[rank].is_there &&
           steps_ - peers_[rank].steps > 1;
  };
  while (true) {
    bool waits = false;
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) waits = waits || is_behind(rank);
    const auto message = mailbox_->take(waits ? kSoon : std::chrono::milliseconds(0));
    if (!message) return;
    take(*message);
  }
}

// A rank that is awaited has to give a sign within the deadline, each of its steps is one.
void AsyncRanks::wait_for(const char* what, const std::function<bool(const Peer&)>& is_awaited) {
  listen();
  const auto begin = Clock::now();
  const auto deadline = comm_->deadline();
  while (true) {
    bool waits = false;
    auto until = Clock::time_point::max();
    for (int rank = 0; rank < comm_->size(); ++rank) {
      const Peer& peer = peers_[static_cast<std::size_t>(rank)];
      if (rank == comm_->rank() || !is_awaited(peer)) continue;
      waits = true;
      const auto silent_until = std::max(begin, peer.heard) + deadline;
      if (Clock::now() > silent_until) {
        throw TimedOut(fmt::format(
            "rank {} ({}): rank {} gave no sign for {:.3g} seconds while it was waited for with {}",
            comm_->rank(), host_name(), rank, std::chrono::duration<double>(deadline).count(),
            what));
      }
      until = std::min(until, silent_until);
    }
    if (!waits) return;
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (const auto message = mailbox_->take(patience)) take(*message);
  }
}

void AsyncRanks::take(const RankMessage& message) {
  Peer& peer = peers_[static_cast<std::size_t>(message.from)];
  peer.heard = Clock::now();
  MessageReader reader(message.bytes);
  if (reader.get<Kind>() == Kind::meeting) {
    peer.is_there = true;
    others_end_ = others_end_ || reader.get<std::uint8_t>() != 0;
    return;
  }
  ++peer.steps;
  take_gradients(reader);
  take_weights(reader, message.from);
  mailbox_->listen(message.from);
}

void AsyncRanks::take_gradients(MessageReader& message) {
  // The versions of the weights that each gradient is of: the difference to the version here is how
  // many updates it missed. Beyond `max_staleness` it would point where the loss no longer falls.
  std::vector<std::uint64_t> used(parameters_.size(), 0);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (is_mine(i)) used[i] = message.get<std::uint64_t>();
  }
  incoming_.clear();
  read_gradients(
      message, parameters_, [this](std::size_t i) { return my_part(i); }, incoming_);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = *parameters_[i].parameter;
    if (incoming_.kept(parameter).size() == 0) continue;
    if (!is_mine(i) || used[i] > versions_[i]) refuse("gradients");
    if (versions_[i] - used[i] > static_cast<std::uint64_t>(options_.max_staleness)) {
      incoming_.drop(parameter);
      ++counts_.stale;
    } else {
      ++waiting_[i];
      ++counts_.used;
    }
  }
  const Gradients* const more[] = {&incoming_};
  sums_.add(more, runner_->tasks());
  update(comm_->size());
}

void AsyncRanks::take_weights(MessageReader& message, int from) {
  for (auto count = message.get<std::uint64_t>(); count > 0; --count) {
    const auto index = message.get<std::uint64_t>();
    const auto version = message.get<std::uint64_t>();
    const std::string_view bytes = message.get_bytes(message.get<std::uint64_t>());
    if (index >= parameters_.size() || ownership_.owner(index) != from) refuse("weights");
    Parameter& parameter = *parameters_[index].parameter;
    if (bytes.size() != parameter.value.bytes()) refuse("weights");
    std::copy(bytes.begin(), bytes.end(), static_cast<char*>(parameter.value.view().data));
    ++parameter.version;
    versions_[index] = version;
  }
}

// ---- the owner

// Those of weights that are here are never too old.
void AsyncRanks::take_own(Gradients& gradients) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = *parameters_[i].parameter;
    if (!is_mine(i)) {
      gradients.drop(parameter);
    } else if (gradients.kept(parameter).size() > 0) {
      ++waiting_[i];
      ++counts_.used;
    }
  }
  const Gradients* const own[] = {&gradients};
  sums_.add(own, runner_->tasks());
  update(comm_->size());
}

// A step needs as many gradients as there are ranks, so that one step stands for one batch, as on a
// single rank; at a meeting fewer do, or they would be lost.
void AsyncRanks::update(std::int64_t least) {
  std::vector<NamedParameter> due;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!is_mine(i) || waiting_[i] < least) continue;
    due.push_back(parameters_[i]);
    numbers.push_back(i);
  }
  if (due.empty()) return;
  optimizer_->step(runner_->context(), due, sums_, runner_->tasks());
  for (const std::size_t i : numbers) {
    sums_.drop(*parameters_[i].parameter);
    waiting_[i] = 0;
    ++versions_[i];
    if (std::find(changed_.begin(), changed_.end(), i) == changed_.end()) changed_.push_back(i);
  }
}

// ---- between steps

// Messages arrive in their order: once the others are known to be here, all that they sent has
// come.
bool AsyncRanks::meet(bool interrupted) {
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) continue;
    MessageWriter message;
    message.put(Kind::meeting);
    message.put<std::uint8_t>(interrupted ? 1 : 0);
    mailbox_->send(rank, message.take());
  }
  wait_for("a meeting of all ranks", [](const Peer& peer) { return !peer.is_there; });
  // From here to the end all ranks do the same: remaining gradients are used, weights become equal,
  // and versions count from zero again, so that a checkpoint needs none of them.
  update(1);
  runner_->end_step();
  share_weights();
  std::fill(versions_.begin(), versions_.end(), 0);
  peers_.assign(peers_.size(), {});
  changed_.clear();
  steps_ = 0;
  return std::exchange(others_end_, false) || interrupted;
}

std::optional<GradientCounts> AsyncRanks::gradient_counts() {
  auto sums = std::make_shared<std::array<std::int64_t, 2>>();
  *sums = {counts_.used, counts_.stale};
  comm_->all_reduce({sums->data(), sums->size(), DType::i64}, ReduceOp::sum, sums).wait();
  return GradientCounts{(*sums)[0], (*sums)[1]};
}

}  // namespace weft
