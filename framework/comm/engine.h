// The bytes between ranks are moved by blocking operations of a library, MPI or Gloo. Each is a
// shared library of its own (libweft_comm_NAME.so), opened at run time; the `Communicator` calls it
// from one thread. Source: docs/distributed.md, "Engines".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "framework/comm/launch.h"
#include "framework/tensor/dtype.h"

namespace weft {

enum class ReduceOp : std::uint8_t { sum, max };

// A send or receive under way.
class Transfer {
 public:
  virtual ~Transfer() = default;
  // Whether it is over; does not wait. Throws PeerLost.
  virtual bool is_done() = 0;
};

// Calls come in the same order on every rank, one at a time. All but `abort` throw PeerLost where a
// rank is gone. Sizes are in bytes unless they say otherwise.
class CommEngine {
 public:
  virtual ~CommEngine() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Elements of f32, f64, i32, i64 or u64, in place.
  virtual void all_reduce(void* data, std::size_t elements, DType type, ReduceOp op) = 0;
  // `out` gets the rank's part: `elements` of in[rank * elements ...], reduced over all ranks.
  virtual void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                              ReduceOp op) = 0;
  // `bytes` of each rank, one behind the other. `in` may be the rank's own place in `out`.
  virtual void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) = 0;
  // `to[r]` bytes of `in`, one part behind the other, go to rank r; `from[r]` come from it.
  virtual void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                            std::span<const std::size_t> from) = 0;
  virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
  virtual void barrier() = 0;

  // The memory outlives the transfer.
  virtual std::unique_ptr<Transfer> send(const void* data, std::size_t bytes, int to,
                                         std::uint32_t tag) = 0;
  virtual std::unique_ptr<Transfer> receive(void* data, std::size_t bytes, int from,
                                            std::uint32_t tag) = 0;

  // Makes the calls of all ranks fail, now or soon; the reason reaches them where that can be done.
  // From any thread.
  virtual void abort(const std::string& reason) noexcept = 0;
  // The reason that another rank gave for its `abort`; "" where none is known.
  virtual std::string reason_of_abort() noexcept = 0;
};

// The engine of one rank alone.
WEFT_API std::unique_ptr<CommEngine> self_engine();

// Each library has this function by the name kEngineEntry. `wait`: how long its own operations wait
// for a peer. Throws Error(usage) where the surroundings lack something, PeerLost where a rank did
// not come.
using OpenEngine = CommEngine* (*)(const Launch& launch, std::chrono::milliseconds wait);
inline constexpr const char* kEngineEntry = "weft_open_engine";

}  // namespace weft
