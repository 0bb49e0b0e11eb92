// MPI, started by mpirun or srun. One thread at a time calls it.
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "framework/comm/chunks.h"
#include "framework/comm/comm_error.h"
#include "framework/comm/engine.h"

namespace weft {
namespace {

// MPI counts in `int`.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

std::atomic<bool> is_given_up = false;

// After main has ended and all is said. Not where ranks are missing: it would wait for them.
void finalize() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over == 0 && !is_given_up) MPI_Finalize();
}

std::string text_of(int error) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(error, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

MPI_Datatype mpi_type(DType type) {
  switch (type) {
    case DType::f32:
      return MPI_FLOAT;
    case DType::f64:
      return MPI_DOUBLE;
    case DType::i32:
      return MPI_INT32_T;
    case DType::i64:
      return MPI_INT64_T;
    case DType::u64:
      return MPI_UINT64_T;
    default:
      throw Error(ErrorKind::internal, "elements of this type are not reduced");
  }
}

MPI_Op mpi_op(ReduceOp op) {
  return op == ReduceOp::sum ? MPI_SUM : MPI_MAX;
}

// The parts of a buffer by rank: counts and offsets.
struct Parts {
  std::vector<int> counts, offsets;
};

std::size_t sum_of(std::span<const std::size_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

Parts parts_of(std::span<const std::size_t> bytes) {
  Parts parts;
  int at = 0;
  for (const std::size_t count : bytes) {
    parts.counts.push_back(static_cast<int>(count));
    parts.offsets.push_back(at);
    at += static_cast<int>(count);
  }
  return parts;
}

class MpiTransfer final : public Transfer {
 public:
  MpiTransfer(std::vector<MPI_Request> requests) : requests_(std::move(requests)) {}
  bool is_done() override {
    int done = 0;
    const int error = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                                  MPI_STATUSES_IGNORE);
    if (error != MPI_SUCCESS) throw PeerLost(text_of(error));
    return done != 0;
  }

 private:
  std::vector<MPI_Request> requests_;
};

class MpiEngine final : public CommEngine {
 public:
  MpiEngine() {
    // A communicator of its own: messages never meet those of other code in the process. Errors are
    // returned instead of ending all processes, so that they can be told.
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  // Counts of MPI have 31 bits, so large arrays go in pieces; the pieces are the same on all ranks.
  void all_reduce(void* data, std::size_t elements, DType type, ReduceOp op) override {
    auto* bytes = static_cast<std::byte*>(data);
    for_each_chunk(elements, kMostAtOnce, [&](std::size_t begin, std::size_t count) {
      check(MPI_Allreduce(MPI_IN_PLACE, bytes + begin * size_of(type), static_cast<int>(count),
                          mpi_type(type), mpi_op(op), comm_));
    });
  }

  void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                      ReduceOp op) override {
    if (elements <= kMostAtOnce / static_cast<std::size_t>(size_)) {
      return check(MPI_Reduce_scatter_block(in, out, static_cast<int>(elements), mpi_type(type),
                                            mpi_op(op), comm_));
    }
    const auto* from = static_cast<const std::byte*>(in);
    const std::size_t bytes = elements * size_of(type);
    for (int root = 0; root < size_; ++root) {
      const auto* part = from + bytes * static_cast<std::size_t>(root);
      for_each_chunk(elements, kMostAtOnce, [&](std::size_t begin, std::size_t count) {
        const std::size_t at = begin * size_of(type);
        check(MPI_Reduce(part + at, static_cast<std::byte*>(out) + at, static_cast<int>(count),
                         mpi_type(type), mpi_op(op), root, comm_));
      });
    }
  }

  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    // Offsets are counts too, so it is the sum that has to fit.
    if (sum_of(bytes) <= INT_MAX) {
      const Parts parts = parts_of(bytes);
      const int own = parts.offsets[static_cast<std::size_t>(rank_)];
      if (in == static_cast<const std::byte*>(out) + own) in = MPI_IN_PLACE;
      return check(MPI_Allgatherv(in, parts.counts[static_cast<std::size_t>(rank_)], MPI_BYTE, out,
                                  parts.counts.data(), parts.offsets.data(), MPI_BYTE, comm_));
    }
    auto* to = static_cast<std::byte*>(out);
    for (int root = 0; root < size_; ++root) {
      const std::size_t count = bytes[static_cast<std::size_t>(root)];
      if (root == rank_ && in != to) std::copy_n(static_cast<const std::byte*>(in), count, to);
      broadcast(to, count, root);
      to += count;
    }
  }

  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t> from) override {
    constexpr int tag = 32767;
    std::vector<MPI_Request> requests;
    const auto* read = static_cast<const std::byte*>(in);
    auto* written = static_cast<std::byte*>(out);
    std::byte* kept = nullptr;
    // Receives before sends: messages find their place waiting and need no memory of the library.
    // Both sides know the sizes, so that empty messages are left out, and large ones go in pieces.
    for (int rank = 0; rank < size_; ++rank) {
      const std::size_t count = from[static_cast<std::size_t>(rank)];
      if (rank == rank_) kept = written;
      if (rank != rank_ && count > 0) start_receive(written, count, rank, tag, requests);
      written += count;
    }
    for (int rank = 0; rank < size_; ++rank) {
      const std::size_t count = to[static_cast<std::size_t>(rank)];
      if (rank == rank_) std::copy_n(read, count, kept);
      if (rank != rank_ && count > 0) start_send(read, count, rank, tag, requests);
      read += count;
    }
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  }

  void broadcast(void* data, std::size_t bytes, int root) override {
    auto* at = static_cast<std::byte*>(data);
    for_each_chunk(bytes, kMostAtOnce, [&](std::size_t begin, std::size_t count) {
      check(MPI_Bcast(at + begin, static_cast<int>(count), MPI_BYTE, root, comm_));
    });
  }

  void barrier() override { check(MPI_Barrier(comm_)); }

  std::unique_ptr<Transfer> send(const void* data, std::size_t bytes, int to,
                                 std::uint32_t tag) override {
    std::vector<MPI_Request> requests;
    start_send(data, bytes, to, static_cast<int>(tag), requests);
    return std::make_unique<MpiTransfer>(std::move(requests));
  }
  std::unique_ptr<Transfer> receive(void* data, std::size_t bytes, int from,
                                    std::uint32_t tag) override {
    std::vector<MPI_Request> requests;
    start_receive(data, bytes, from, static_cast<int>(tag), requests);
    return std::make_unique<MpiTransfer>(std::move(requests));
  }

  // The process ends with an error next, which makes the launcher end all others. MPI_Abort would
  // do so before the error is told.
  void abort(const std::string&) noexcept override { is_given_up = true; }
  std::string reason_of_abort() noexcept override { return ""; }

 private:
  void check(int error) const {
    if (error == MPI_SUCCESS) return;
    throw PeerLost(fmt::format("rank {} ({}): {}", rank_, host_name(), text_of(error)));
  }

  void start_send(const void* data, std::size_t bytes, int to, int tag,
                  std::vector<MPI_Request>& requests) const {
    const auto* from = static_cast<const std::byte*>(data);
    const auto start = [&](std::size_t begin, std::size_t count) {
      check(MPI_Isend(from + begin, static_cast<int>(count), MPI_BYTE, to, tag, comm_,
                      &requests.emplace_back()));
    };
    if (bytes == 0) start(0, 0);
    for_each_chunk(bytes, kMostAtOnce, start);
  }
  void start_receive(void* data, std::size_t bytes, int from, int tag,
                     std::vector<MPI_Request>& requests) const {
    auto* to = static_cast<std::byte*>(data);
    const auto start = [&](std::size_t begin, std::size_t count) {
      check(MPI_Irecv(to + begin, static_cast<int>(count), MPI_BYTE, from, tag, comm_,
                      &requests.emplace_back()));
    };
    if (bytes == 0) start(0, 0);
    for_each_chunk(bytes, kMostAtOnce, start);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) weft::CommEngine* weft_open_engine(
    const weft::Launch&, std::chrono::milliseconds) {
  // Ranks that wait leave their core to others.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  int is_ready = 0;
  MPI_Initialized(&is_ready);
  if (is_ready == 0) {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
    if (given < MPI_THREAD_SERIALIZED) {
      throw weft::Error(weft::ErrorKind::usage,
                        "this MPI library does not let another thread than the first call it "
                        "(MPI_THREAD_SERIALIZED)");
    }
    std::atexit(weft::finalize);
  }
  return new weft::MpiEngine();
}
