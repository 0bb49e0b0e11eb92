#include "framework/comm/communicator.h"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include "framework/comm/comm_queue.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  return hash;
}

std::uint64_t signature_of(std::uint64_t operation, std::size_t count, DType type,
                           std::uint64_t more = 0) {
  return mixed(mixed(mixed(mixed(0, operation), count), static_cast<std::uint64_t>(type)), more);
}

}  // namespace

Communicator::Communicator(std::unique_ptr<CommEngine> engine, std::string name,
                           CommOptions options)
    : queue_(std::make_shared<CommQueue>()),
      name_(std::move(name)),
      rank_(engine->rank()),
      size_(engine->size()) {
  queue_->engine = std::move(engine);
  queue_->options = options;
  std::thread([queue = queue_] { queue->run(); }).detach();
}

Communicator::~Communicator() {
  std::unique_lock lock(queue_->mutex);
  queue_->must_end = true;
  queue_->changed.notify_all();
  // An engine may hang in a call. Without that it ends at once, but for a store that the others ask
  // for the reason of an end (StoreServer).
  constexpr std::chrono::milliseconds kPatience{2500};
  queue_->changed.wait_for(lock, kPatience, [this] { return queue_->has_ended; });
}

Work Communicator::start(const char* what, std::size_t bytes, std::uint64_t signature,
                         std::function<void(CommEngine&)> operation, Keep keep) {
  auto state = std::make_shared<Work::State>();
  state->what = what;
  state->operation = std::move(operation);
  state->signature = signature;
  state->keep = std::move(keep);
  state->queue = queue_;
  queue_->bytes_sent += size_ > 1 ? bytes : 0;
  const std::lock_guard lock(queue_->mutex);
  if (!queue_->aborted.empty()) throw PeerLost(queue_->aborted);
  queue_->waiting.push_back(state);
  queue_->changed.notify_all();
  return Work(state);
}

Work Communicator::transfer(const char* what,
                            std::function<std::unique_ptr<Transfer>(CommEngine&)> begin,
                            Keep keep) {
  auto state = std::make_shared<Work::State>();
  state->what = what;
  state->begin = std::move(begin);
  state->keep = std::move(keep);
  state->queue = queue_;
  const std::lock_guard lock(queue_->mutex);
  if (!queue_->aborted.empty()) throw PeerLost(queue_->aborted);
  queue_->waiting.push_back(state);
  queue_->changed.notify_all();
  return Work(state);
}

Work Communicator::all_reduce(CommBuffer data, ReduceOp op, Keep keep) {
  return start(
      "sum over all ranks", 2 * data.bytes(),
      signature_of(1, data.count, data.type, static_cast<std::uint64_t>(op)),
      [=](CommEngine& engine) { engine.all_reduce(data.data, data.count, data.type, op); },
      std::move(keep));
}

Work Communicator::reduce_scatter(ConstCommBuffer in, CommBuffer out, ReduceOp op, Keep keep) {
  return start(
      "sum of parts", in.bytes(),
      signature_of(2, out.count, out.type, static_cast<std::uint64_t>(op)),
      [=](CommEngine& engine) {
        engine.reduce_scatter(in.data, out.data, out.count, out.type, op);
      },
      std::move(keep));
}

Work Communicator::all_gather(ConstCommBuffer in, CommBuffer out, Keep keep) {
  std::vector<std::size_t> bytes(static_cast<std::size_t>(size_), in.bytes());
  return all_gather_v(in, out, std::move(bytes), std::move(keep));
}

Work Communicator::all_gather_v(ConstCommBuffer in, CommBuffer out, std::vector<std::size_t> bytes,
                                Keep keep) {
  const std::size_t sum = std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
  if (bytes.size() != static_cast<std::size_t>(size_) || sum > out.bytes() ||
      in.bytes() != bytes[static_cast<std::size_t>(rank_)]) {
    throw Error(ErrorKind::internal, "the parts of an all-gather do not fit its memory");
  }
  std::uint64_t parts = 0;
  for (const std::size_t part : bytes) parts = mixed(parts, part);
  return start(
      "gathering from all ranks", in.bytes() * static_cast<std::size_t>(size_ - 1),
      signature_of(3, sum, DType::u8, parts),
      [in, out, bytes = std::move(bytes)](CommEngine& engine) {
        engine.all_gather_v(in.data, out.data, bytes);
      },
      std::move(keep));
}

Work Communicator::all_to_all_v(ConstCommBuffer in, std::vector<std::size_t> to, CommBuffer out,
                                std::vector<std::size_t> from, Keep keep) {
  const auto ranks = static_cast<std::size_t>(size_);
  const auto sum = [](const auto& v) {
    return std::accumulate(v.begin(), v.end(), std::size_t{0});
  };
  if (to.size() != ranks || from.size() != ranks || sum(to) > in.bytes() ||
      sum(from) > out.bytes()) {
    throw Error(ErrorKind::internal, "the parts of an exchange do not fit its memory");
  }
  const std::size_t sent = sum(to) - to[static_cast<std::size_t>(rank_)];
  return start(
      "round of messages between all ranks", sent, signature_of(4, 0, DType::u8),
      [in, out, to = std::move(to), from = std::move(from)](CommEngine& engine) {
        engine.all_to_all_v(in.data, to, out.data, from);
      },
      std::move(keep));
}

Work Communicator::broadcast(CommBuffer data, int root, Keep keep) {
  return start(
      "message to all ranks", rank_ == root ? data.bytes() : 0,
      signature_of(5, data.count, data.type, static_cast<std::uint64_t>(root)),
      [=](CommEngine& engine) { engine.broadcast(data.data, data.bytes(), root); },
      std::move(keep));
}

Work Communicator::barrier() {
  return start("meeting of all ranks", 0, signature_of(6, 0, DType::u8),
               [](CommEngine& engine) { engine.barrier(); }, {});
}

Work Communicator::send(ConstCommBuffer data, int to, std::uint32_t tag, Keep keep) {
  queue_->bytes_sent += to == rank_ ? 0 : data.bytes();
  return transfer(
      "message to a rank",
      [=](CommEngine& engine) { return engine.send(data.data, data.bytes(), to, tag); },
      std::move(keep));
}

Work Communicator::receive(CommBuffer data, int from, std::uint32_t tag, Keep keep) {
  return transfer(
      "message from a rank",
      [=](CommEngine& engine) { return engine.receive(data.data, data.bytes(), from, tag); },
      std::move(keep));
}

void Communicator::wait_for_any(std::span<const Work> works, std::chrono::milliseconds most) const {
  const auto start = Clock::now();
  std::unique_lock lock(queue_->mutex);
  queue_->changed.wait_for(lock, most, [&] {
    return !queue_->aborted.empty() ||
           std::any_of(works.begin(), works.end(),
                       [](const Work& work) { return work.state_->is_over; });
  });
  queue_->waited_ns += std::chrono::nanoseconds(Clock::now() - start).count();
  if (!queue_->aborted.empty()) throw PeerLost(queue_->aborted);
}

void Communicator::abort(const std::string& reason) noexcept {
  {
    const std::lock_guard lock(queue_->mutex);
    if (!queue_->aborted.empty()) return;
    queue_->aborted = reason.empty() ? "the run was given up" : reason;
    queue_->changed.notify_all();
  }
  queue_->engine->abort(reason);
}

std::chrono::milliseconds Communicator::deadline() const {
  const std::lock_guard lock(queue_->mutex);
  return queue_->options.deadline;
}

void Communicator::set_deadline(std::chrono::milliseconds deadline) {
  const std::lock_guard lock(queue_->mutex);
  queue_->options.deadline = deadline;
}

std::uint64_t Communicator::bytes_sent() const {
  return queue_->bytes_sent;
}

double Communicator::seconds_waited() const {
  return static_cast<double>(queue_->waited_ns.load()) * 1e-9;
}

}  // namespace weft
