// NCCL between GPUs. The arrays of a Communicator lie on the host: each operation copies them to
// the GPU and the outcome back, in the order of one stream. Nothing blocks inside NCCL: its calls
// return at once, and the thread that waits looks for errors, for other ranks that gave up, and at
// the clock. Source: docs/distributed.md, "NCCL".
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nccl.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/engine.h"
#include "framework/comm/engines/nccl/device_memory.h"
#include "framework/comm/engines/nccl/gpu_of_rank.h"
#include "framework/comm/engines/nccl/nccl_types.h"
#include "framework/comm/last_words.h"
#include "framework/comm/socket.h"
#include "framework/comm/store.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kId = "weft/nccl-id";
// Waits are looked at so often, and the store less often: it is on another machine.
constexpr std::chrono::microseconds kLook{20};
constexpr std::chrono::milliseconds kAskStore{500};
// How long the end of a run may take.
constexpr std::chrono::milliseconds kEnd{10000};

std::size_t sum_of(std::span<const std::size_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

class NcclEngine final : public CommEngine {
 public:
  NcclEngine(const Launch& launch, std::chrono::milliseconds wait)
      : wait_(wait), rank_(launch.rank), size_(launch.size), gpu_(gpu_of_rank(launch.rank)) {
    if (launch.is_root()) {
      Descriptor socket = launch.listening >= 0 ? Descriptor(launch.listening)
                                                : listen_at(launch.address, launch.port);
      server_ = std::make_unique<StoreServer>(std::move(socket));
    }
    client_ = std::make_unique<StoreClient>(launch.address, launch.port, wait);
    check_cuda(cudaSetDevice(gpu_));
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&comm_, size_, common_id(), rank_, &config));
    await_calls();
  }
  ~NcclEngine() override {
    cudaSetDevice(gpu_);
    if (comm_ != nullptr) end();
    cudaStreamDestroy(stream_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void all_reduce(void* data, std::size_t elements, DType type, ReduceOp op) override {
    const std::size_t bytes = elements * size_of(type);
    if (bytes == 0) return;
    on_gpu([&] {
      std::byte* there = in_.hold(bytes);
      bring(there, data, bytes);
      check(ncclAllReduce(there, there, elements, nccl_type(type), nccl_op(op), comm_, stream_));
      await_calls();
      take(data, there, bytes);
    });
  }

  void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                      ReduceOp op) override {
    const std::size_t bytes = elements * size_of(type);
    if (bytes == 0) return;
    on_gpu([&] {
      const std::size_t all = bytes * static_cast<std::size_t>(size_);
      std::byte *from = in_.hold(all), *to = out_.hold(bytes);
      bring(from, in, all);
      check(ncclReduceScatter(from, to, elements, nccl_type(type), nccl_op(op), comm_, stream_));
      await_calls();
      take(out, to, bytes);
    });
  }

  // NCCL's own gathering has parts of one length.
  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    const std::size_t all = sum_of(bytes), own = bytes[static_cast<std::size_t>(rank_)];
    const std::size_t before = sum_of(bytes.first(static_cast<std::size_t>(rank_)));
    auto* to = static_cast<std::byte*>(out);
    if (own > 0 && in != to + before) std::memcpy(to + before, in, own);
    if (all == 0) return;
    on_gpu([&] {
      std::byte* there = in_.hold(all);
      bring(there + before, to + before, own);
      in_group([&] {
        std::byte* part = there;
        for (int root = 0; root < size_; ++root) {
          const std::size_t count = bytes[static_cast<std::size_t>(root)];
          if (count > 0) {
            check(ncclBroadcast(part, part, count, ncclUint8, root, comm_, stream_));
          }
          part += count;
        }
      });
      take(to, there, before);
      take(to + before + own, there + before + own, all - before - own);
    });
  }

  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t> from) override {
    const auto* read = static_cast<const std::byte*>(in);
    auto* written = static_cast<std::byte*>(out);
    const auto self = static_cast<std::size_t>(rank_);
    const std::size_t sent = sum_of(to), received = sum_of(from), own = from[self];
    const std::size_t place = sum_of(from.first(self));
    if (own > 0) std::memcpy(written + place, read + sum_of(to.first(self)), own);
    on_gpu([&] {
      std::byte *leaving = in_.hold(sent), *coming = out_.hold(received);
      bring(leaving, read, sent);
      in_group([&] {
        std::byte *give = leaving, *get = coming;
        for (int rank = 0; rank < size_; ++rank) {
          const std::size_t gives = to[static_cast<std::size_t>(rank)];
          const std::size_t gets = from[static_cast<std::size_t>(rank)];
          if (rank != rank_ && gives > 0) {
            check(ncclSend(give, gives, ncclUint8, rank, comm_, stream_));
          }
          if (rank != rank_ && gets > 0) {
            check(ncclRecv(get, gets, ncclUint8, rank, comm_, stream_));
          }
          give += gives;
          get += gets;
        }
      });
      take(written, coming, place);
      take(written + place + own, coming + place + own, received - place - own);
    });
  }

  void broadcast(void* data, std::size_t bytes, int root) override {
    if (bytes == 0) return;
    on_gpu([&] {
      std::byte* there = in_.hold(bytes);
      if (rank_ == root) bring(there, data, bytes);
      check(ncclBroadcast(there, there, bytes, ncclUint8, root, comm_, stream_));
      await_calls();
      if (rank_ != root) take(data, there, bytes);
    });
  }

  void barrier() override {
    std::int32_t nothing = 0;
    all_reduce(&nothing, 1, DType::i32, ReduceOp::sum);
  }

  std::unique_ptr<Transfer> send(const void*, std::size_t, int, std::uint32_t) override {
    refuse_messages();
  }
  std::unique_ptr<Transfer> receive(void*, std::size_t, int, std::uint32_t) override {
    refuse_messages();
  }

  // The thread that waits, here and on the other ranks, finds it.
  void abort(const std::string& reason) noexcept override {
    tell_last_words(*client_, reason);
    is_given_up_ = true;
  }
  std::string reason_of_abort() noexcept override { return find_last_words(*client_); }

 private:
  [[noreturn]] static void refuse_messages() {
    throw Error(ErrorKind::usage,
                "the engine 'nccl' sends no messages between two ranks, which async.v1 needs: take "
                "the engine 'gloo' or 'mpi'");
  }
  // From rank 0, by the store.
  ncclUniqueId common_id() {
    ncclUniqueId id;
    if (rank_ == 0) {
      check(ncclGetUniqueId(&id));
      client_->set(kId, std::string(id.internal, sizeof id.internal));
    }
    const std::string text = client_->get(kId, wait_);
    if (text.size() != sizeof id.internal) throw PeerLost("rank 0 sent no id of NCCL");
    std::copy(text.begin(), text.end(), id.internal);
    return id;
  }

  // Runs an operation and waits until its outcome is on the host. CUDA's device belongs to a
  // thread.
  template <class Operation>
  void on_gpu(Operation operation) {
    if (comm_ == nullptr) fail("the connection to the other ranks was given up");
    check_cuda(cudaSetDevice(gpu_));
    operation();
    await_stream();
  }
  void await_stream() {
    wait_until([this] {
      const cudaError_t state = cudaStreamQuery(stream_);
      if (state == cudaErrorNotReady) return false;
      check_cuda(state);
      return true;
    });
  }
  // Data for other ranks may still be on its way.
  void end() noexcept {
    wait_ = std::min<std::chrono::milliseconds>(wait_, kEnd);
    try {
      check(ncclCommFinalize(comm_));
      await_calls();
      ncclCommDestroy(comm_);
    } catch (const std::exception&) {
      // It was aborted: after an error nobody is left to answer.
    }
  }
  template <class Calls>
  void in_group(Calls calls) {
    check(ncclGroupStart());
    calls();
    check(ncclGroupEnd());
    await_calls();
  }

  void bring(std::byte* there, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    check_cuda(cudaMemcpyAsync(there, from, bytes, cudaMemcpyHostToDevice, stream_));
  }
  // CUDA's copy to memory that is not page-locked blocks until all before it is done: no error and
  // no deadline would be seen meanwhile.
  void take(void* to, const std::byte* there, std::size_t bytes) {
    if (bytes == 0) return;
    await_stream();
    check_cuda(cudaMemcpyAsync(to, there, bytes, cudaMemcpyDeviceToHost, stream_));
  }

  void check(ncclResult_t result) {
    if (result == ncclSuccess || result == ncclInProgress) return;
    fail(ncclGetErrorString(result));
  }
  // A call that returned at once has queued what it has to.
  void await_calls() {
    wait_until([] { return true; });
  }

  // Until `is_over` holds and NCCL is not busy with a call any more.
  template <class IsOver>
  void wait_until(IsOver is_over) {
    const auto begin = Clock::now();
    auto asked = begin;
    while (true) {
      ncclResult_t state = ncclSuccess;
      check(ncclCommGetAsyncError(comm_, &state));
      check(state);
      if (state == ncclSuccess && is_over()) return;
      const auto now = Clock::now();
      if (is_given_up_) fail("this run was given up");
      if (now - begin > wait_) fail("no answer in time");
      if (now - asked > kAskStore) {
        asked = now;
        if (const std::string why = why_given_up(); !why.empty()) fail(why);
      }
      std::this_thread::sleep_for(kLook);
    }
  }

  // "" while rank 0 is there and nobody has given up.
  std::string why_given_up() noexcept {
    try {
      return client_->find(kLastWordsKey).value_or("");
    } catch (const std::exception&) {
      return "rank 0 is gone";
    }
  }

  // Operations under way end, so that nothing writes to the host's arrays after this.
  [[noreturn]] void fail(const std::string& text) {
    if (comm_ != nullptr) ncclCommAbort(std::exchange(comm_, nullptr));
    cudaStreamSynchronize(stream_);
    throw PeerLost(fmt::format("rank {} ({}): another rank is gone or does not answer: {}", rank_,
                               host_name(), text));
  }

  std::chrono::milliseconds wait_;
  int rank_, size_, gpu_;
  std::unique_ptr<StoreServer> server_;
  std::unique_ptr<StoreClient> client_;
  cudaStream_t stream_ = nullptr;
  ncclComm_t comm_ = nullptr;
  DeviceMemory in_, out_;
  std::atomic<bool> is_given_up_ = false;
};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) weft::CommEngine* weft_open_engine(
    const weft::Launch& launch, std::chrono::milliseconds wait) {
  if (launch.size == 1) return weft::self_engine().release();
  if (launch.address.empty() || launch.size < 1) {
    throw weft::Error(weft::ErrorKind::usage,
                      "the engine 'nccl' needs the variables RANK, WORLD_SIZE, MASTER_ADDR and "
                      "MASTER_PORT");
  }
  return new weft::NcclEngine(launch, wait);
}
