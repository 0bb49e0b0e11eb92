#include "framework/comm/communicator.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

// How often transfers under way are looked at: at first, and once nothing has come for a while.
// Ranks that do not wait for each other have some under way all the time.
constexpr std::chrono::microseconds kLook{50}, kLongestLook{1000};

// Lengths that another rank tells are not believed beyond this.
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 30;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  return hash;
}

std::uint64_t signature_of(std::uint64_t operation, std::size_t count, DType type,
                           std::uint64_t more = 0) {
  return mixed(mixed(mixed(mixed(0, operation), count), static_cast<std::uint64_t>(type)), more);
}

}  // namespace

struct Work::State {
  const char* what = "";
  std::function<void(CommEngine&)> operation;                   // a collective
  std::function<std::unique_ptr<Transfer>(CommEngine&)> begin;  // or a message
  std::unique_ptr<Transfer> transfer;
  std::uint64_t signature = 0;
  Communicator::Keep keep;
  std::shared_ptr<CommQueue> queue;
  bool is_over = false;
  std::exception_ptr error;
};

// Shared with the thread, which goes on alone where an operation never ends.
struct CommQueue {
  std::unique_ptr<CommEngine> engine;
  CommOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Work::State>> waiting;
  std::vector<std::shared_ptr<Work::State>> under_way;  // messages
  bool must_end = false;
  bool has_ended = false;
  std::string aborted;  // the reason, once the run was given up
  std::atomic<std::uint64_t> bytes_sent = 0;
  std::atomic<std::int64_t> waited_ns = 0;

  void run();
  void carry_out(Work::State& work);
  void check_order(const Work::State& work);
  void finish(const std::shared_ptr<Work::State>& work, std::exception_ptr error);
  bool look_at_transfers(std::unique_lock<std::mutex>& lock);
  // With the reason that a rank gave for giving up, where there is one.
  std::exception_ptr explained(std::exception_ptr error);
};

void CommQueue::check_order(const Work::State& work) {
  const auto size = static_cast<std::size_t>(engine->size());
  std::vector<std::uint64_t> all(size);
  const std::vector<std::size_t> bytes(size, sizeof(std::uint64_t));
  engine->all_gather_v(&work.signature, all.data(), bytes);
  const auto other = std::find_if(all.begin(), all.end(), [&](auto s) { return s != all.front(); });
  if (other == all.end()) return;
  throw Error(ErrorKind::internal,
              fmt::format("ranks 0 and {} are not at the same collective; this rank called {}",
                          other - all.begin(), work.what));
}

void CommQueue::carry_out(Work::State& work) {
  if (options.check_order) check_order(work);
  work.operation(*engine);
}

std::exception_ptr CommQueue::explained(std::exception_ptr error) {
  const std::string reason = engine->reason_of_abort();
  return reason.empty() ? std::move(error) : std::make_exception_ptr(PeerLost(reason));
}

void CommQueue::finish(const std::shared_ptr<Work::State>& work, std::exception_ptr error) {
  work->is_over = true;
  work->error = std::move(error);
  work->keep.reset();
  work->operation = nullptr;
  work->transfer.reset();
  changed.notify_all();
}

// Whether some have ended.
bool CommQueue::look_at_transfers(std::unique_lock<std::mutex>& lock) {
  bool have_ended = false;
  std::vector<std::shared_ptr<Work::State>> all = std::move(under_way);
  under_way.clear();
  for (const auto& work : all) {
    std::exception_ptr error;
    bool is_done = false;
    lock.unlock();
    try {
      is_done = work->transfer->is_done();
    } catch (...) {
      error = explained(std::current_exception());
    }
    lock.lock();
    if (is_done || error) {
      finish(work, error);
      have_ended = true;
    } else {
      under_way.push_back(work);
    }
  }
  return have_ended;
}

void CommQueue::run() {
  std::unique_lock lock(mutex);
  std::chrono::microseconds look = kLook;
  while (true) {
    look = look_at_transfers(lock) ? kLook : std::min(2 * look, kLongestLook);
    const auto has_news = [this] { return must_end || !waiting.empty(); };
    if (!under_way.empty()) {
      changed.wait_for(lock, look, has_news);
    } else {
      changed.wait(lock, has_news);
    }
    if (waiting.empty()) {
      if (must_end) break;
      continue;
    }
    look = kLook;
    const std::shared_ptr<Work::State> work = waiting.front();
    waiting.pop_front();
    std::exception_ptr error;
    lock.unlock();
    try {
      if (work->begin) {
        work->transfer = work->begin(*engine);
      } else {
        carry_out(*work);
      }
    } catch (...) {
      error = explained(std::current_exception());
    }
    lock.lock();
    if (work->begin && !error) {
      under_way.push_back(work);
    } else {
      finish(work, error);
    }
  }
  has_ended = true;
  changed.notify_all();
}

bool Work::is_done() const {
  const std::lock_guard lock(state_->queue->mutex);
  return state_->is_over;
}

void Work::wait() const {
  std::unique_lock lock(state_->queue->mutex);
  const auto deadline = state_->queue->options.deadline;
  lock.unlock();
  wait(deadline);
}

void Work::wait(std::chrono::milliseconds deadline) const {
  CommQueue& queue = *state_->queue;
  const auto start = Clock::now();
  std::unique_lock lock(queue.mutex);
  const bool in_time = queue.changed.wait_for(
      lock, deadline, [&] { return state_->is_over || !queue.aborted.empty(); });
  queue.waited_ns += std::chrono::nanoseconds(Clock::now() - start).count();
  if (state_->is_over) {
    if (state_->error) std::rethrow_exception(state_->error);
    return;
  }
  if (!queue.aborted.empty()) throw PeerLost(queue.aborted);
  if (!in_time) {
    throw TimedOut(
        fmt::format("rank {} ({}): no answer in {:.3g} seconds to a {}: another rank or "
                    "the network has stopped",
                    queue.engine->rank(), host_name(),
                    std::chrono::duration<double>(deadline).count(), state_->what));
  }
}

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
  const bool hangs = !queue_->aborted.empty();
  // Nothing is under way in a run that ended in order.
  const auto patience = hangs ? std::chrono::milliseconds(100) : std::chrono::milliseconds(2000);
  queue_->changed.wait_for(lock, patience, [this] { return queue_->has_ended; });
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
      "exchange between all ranks", sent, signature_of(4, 0, DType::u8),
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

void all_gather_and_wait(Communicator& comm, ConstCommBuffer in, CommBuffer out) {
  comm.all_gather(in, out).wait();
}

std::vector<std::string> all_gather_texts(Communicator& comm, const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::uint64_t length = mine.size();
  auto lengths = std::make_shared<std::vector<std::uint64_t>>(ranks);
  all_gather_and_wait(comm, {&length, 1, DType::u64}, {lengths->data(), ranks, DType::u64});
  std::vector<std::size_t> bytes;
  for (const std::uint64_t of_rank : *lengths) {
    if (of_rank > kLongestText) throw PeerLost("a rank tells of a text of impossible length");
    bytes.push_back(of_rank);
  }
  auto text = std::make_shared<std::pair<std::string, std::string>>();
  text->first = mine;
  text->second.resize(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
  comm.all_gather_v({text->first.data(), text->first.size(), DType::u8},
                    {text->second.data(), text->second.size(), DType::u8}, bytes, text)
      .wait();
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (const std::size_t count : bytes) {
    texts.push_back(text->second.substr(at, count));
    at += count;
  }
  return texts;
}

std::string broadcast_text(Communicator& comm, const std::string& mine, int root) {
  auto length = std::make_shared<std::uint64_t>(mine.size());
  comm.broadcast({length.get(), 1, DType::u64}, root, length).wait();
  if (*length > kLongestText) throw PeerLost("a rank tells of a text of impossible length");
  auto text = std::make_shared<std::string>(comm.rank() == root ? mine : std::string());
  text->resize(*length);
  comm.broadcast({text->data(), text->size(), DType::u8}, root, text).wait();
  return *text;
}

}  // namespace weft
