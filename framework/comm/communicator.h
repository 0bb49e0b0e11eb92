// The ranks of a run and what goes between them: collectives, which every rank calls in the same
// order, and messages. They are started here and waited for with a deadline. A thread of the
// communicator's own carries them out, one after the other, by the engine's blocking operations.
// Source: docs/distributed.md, "Engines".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/comm/comm_error.h"
#include "framework/comm/engine.h"
#include "registry/base/export.h"

namespace weft {

// Memory of the host, of `count` elements.
struct CommBuffer {
  void* data = nullptr;
  std::size_t count = 0;
  DType type = DType::u8;

  std::size_t bytes() const { return count * size_of(type); }
};

// The same, to read from.
struct ConstCommBuffer {
  ConstCommBuffer() = default;
  ConstCommBuffer(const void* from, std::size_t elements, DType element)
      : data(from), count(elements), type(element) {}
  ConstCommBuffer(const CommBuffer& buffer)  // NOLINT(google-explicit-constructor): a view of it
      : data(buffer.data), count(buffer.count), type(buffer.type) {}
  const void* data = nullptr;
  std::size_t count = 0;
  DType type = DType::u8;
  std::size_t bytes() const { return count * size_of(type); }
};

// Something that was started. Copies stand for the same.
class WEFT_API Work {
 public:
  struct State;
  explicit Work(std::shared_ptr<State> state) : state_(std::move(state)) {}

  bool is_done() const;
  // Throws TimedOut after the communicator's deadline, PeerLost where a rank is gone, and anything
  // else that the operation threw.
  void wait() const;
  void wait(std::chrono::milliseconds deadline) const;

 private:
  friend class Communicator;
  std::shared_ptr<State> state_;
};

struct CommOptions {
  std::chrono::milliseconds deadline{120'000};  // of every wait that does not name its own
  // Before each collective the ranks compare the operation, the number of its elements and their
  // type: one that is called in another order fails instead of mixing up numbers.
  bool check_order = false;
};

struct CommQueue;

class WEFT_API Communicator {
 public:
  // `name` is the engine's, for messages.
  Communicator(std::unique_ptr<CommEngine> engine, std::string name, CommOptions options = {});
  // Does not wait for operations that hang; those keep what they were given.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  const std::string& name() const { return name_; }
  std::chrono::milliseconds deadline() const;
  void set_deadline(std::chrono::milliseconds deadline);

  // `keep` lives until the operation is over, even where nobody waits for it any longer: the owner
  // of the memory.
  using Keep = std::shared_ptr<const void>;

  // In place. Every rank gets the same bits.
  Work all_reduce(CommBuffer data, ReduceOp op, Keep keep = {});
  // `in` has size() parts of `out`'s length; the rank's own one is reduced into `out`.
  Work reduce_scatter(ConstCommBuffer in, CommBuffer out, ReduceOp op, Keep keep = {});
  // `out` has size() parts of `in`'s length, in the order of the ranks.
  Work all_gather(ConstCommBuffer in, CommBuffer out, Keep keep = {});
  // The same with parts of `bytes[r]`, which all ranks know.
  Work all_gather_v(ConstCommBuffer in, CommBuffer out, std::vector<std::size_t> bytes,
                    Keep keep = {});
  // `to[r]` bytes of `in` go to rank r, `from[r]` come from it, in the order of the ranks.
  Work all_to_all_v(ConstCommBuffer in, std::vector<std::size_t> to, CommBuffer out,
                    std::vector<std::size_t> from, Keep keep = {});
  Work broadcast(CommBuffer data, int root, Keep keep = {});
  Work barrier();
  // Messages between two ranks meet by their tag and come in the order in which they were sent.
  Work send(ConstCommBuffer data, int to, std::uint32_t tag, Keep keep = {});
  Work receive(CommBuffer data, int from, std::uint32_t tag, Keep keep = {});

  // Waits until one of them is over, at most so long. Throws PeerLost where the run was given up.
  void wait_for_any(std::span<const Work> works, std::chrono::milliseconds most) const;

  // The run cannot go on: every wait, here and on the other ranks, ends with PeerLost, which has
  // the reason. From any thread.
  void abort(const std::string& reason) noexcept;

  // Bytes that this rank gave to others so far, and the seconds that were waited for.
  std::uint64_t bytes_sent() const;
  double seconds_waited() const;

 private:
  Work start(const char* what, std::size_t bytes, std::uint64_t signature,
             std::function<void(CommEngine&)> operation, Keep keep);
  Work transfer(const char* what, std::function<std::unique_ptr<Transfer>(CommEngine&)> begin,
                Keep keep);

  std::shared_ptr<CommQueue> queue_;
  std::string name_;
  int rank_, size_;
};

// The texts of all ranks, in their order.
WEFT_API std::vector<std::string> all_gather_texts(Communicator& comm, const std::string& mine);
// The text of one rank.
WEFT_API std::string broadcast_text(Communicator& comm, const std::string& mine, int root = 0);

}  // namespace weft
