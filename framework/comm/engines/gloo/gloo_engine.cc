// Gloo over TCP: a dead peer becomes an exception at once, and no launcher is needed.
#include <algorithm>
#include <future>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gloo/algorithm.h>
#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/common/error.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/transport/tcp/attr.h>
#include <gloo/transport/tcp/device.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/engine.h"
#include "framework/comm/engines/gloo/gloo_store.h"
#include "framework/comm/socket.h"

namespace weft {
namespace {

constexpr const char* kReason = "weft/aborted";

template <class T>
void reduce_values(void* out, const void* left, const void* right, std::size_t count, ReduceOp op) {
  auto* to = static_cast<T*>(out);
  const auto *a = static_cast<const T*>(left), *b = static_cast<const T*>(right);
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = op == ReduceOp::sum ? a[i] + b[i] : std::max(a[i], b[i]);
  }
}

// Calls `use` with a value of the type.
template <class Use>
void with_type(DType type, Use use) {
  switch (type) {
    case DType::f32:
      return use(float{});
    case DType::f64:
      return use(double{});
    case DType::i32:
      return use(std::int32_t{});
    case DType::i64:
      return use(std::int64_t{});
    case DType::u64:
      return use(std::uint64_t{});
    default:
      throw Error(ErrorKind::internal, "elements of this type are not reduced");
  }
}

std::vector<std::int64_t> counts_of(std::span<const std::size_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

bool is_zero(std::span<const std::size_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::size_t count) { return count == 0; });
}

// Gloo's transfers can only be waited for, on a thread of their own.
class GlooTransfer final : public Transfer {
 public:
  GlooTransfer(std::unique_ptr<gloo::transport::UnboundBuffer> buffer, bool receives,
               std::chrono::milliseconds wait)
      : buffer_(std::move(buffer)), over_(std::async(std::launch::async, [this, receives, wait] {
          receives ? buffer_->waitRecv(wait) : buffer_->waitSend(wait);
        })) {}
  bool is_done() override {
    if (over_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    try {
      over_.get();
    } catch (const std::exception& error) {  // not all of Gloo's are of one class
      throw PeerLost(error.what());
    }
    return true;
  }

 private:
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer_;
  std::future<void> over_;
};

class GlooEngine final : public CommEngine {
 public:
  GlooEngine(const Launch& launch, std::chrono::milliseconds wait) : wait_(wait) {
    if (launch.is_root()) {
      Descriptor socket = launch.listening >= 0 ? Descriptor(launch.listening)
                                                : listen_at(launch.address, launch.port);
      server_ = std::make_unique<StoreServer>(std::move(socket));
    }
    client_ = std::make_unique<StoreClient>(launch.address, launch.port, wait);
    gloo::transport::tcp::attr at(client_->own_address().c_str());
    auto device = gloo::transport::tcp::CreateDevice(at);
    GlooStore store(*client_, wait);
    context_ = std::make_shared<gloo::rendezvous::Context>(launch.rank, launch.size);
    context_->setTimeout(wait);
    context_->connectFullMesh(store, device);
  }

  int rank() const override { return context_->rank; }
  int size() const override { return context_->size; }

  void all_reduce(void* data, std::size_t elements, DType type, ReduceOp op) override {
    if (elements == 0) return;
    with_type(type, [&]<class T>(T) {
      gloo::AllreduceOptions options(context_);
      options.setOutput(static_cast<T*>(data), elements);
      options.setReduceFunction([op](void* out, const void* a, const void* b, std::size_t count) {
        reduce_values<T>(out, a, b, count, op);
      });
      guarded([&] { gloo::allreduce(options); });
    });
  }

  void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                      ReduceOp op) override {
    const std::size_t bytes = elements * size_of(type);
    const auto ranks = static_cast<std::size_t>(size());
    const auto* from = static_cast<const std::byte*>(in);
    // By a sum of everything, of which each rank takes its part: more traffic than needed, and the
    // same numbers as all_reduce gives.
    std::vector<std::byte> sum(from, from + bytes * ranks);
    all_reduce(sum.data(), elements * ranks, type, op);
    std::copy_n(sum.data() + bytes * static_cast<std::size_t>(rank()), bytes,
                static_cast<std::byte*>(out));
  }

  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    // All ranks know all sizes, so all of them leave the exchange out.
    if (is_zero(bytes)) return;
    gloo::AllgathervOptions options(context_);
    options.setInput(static_cast<std::uint8_t*>(const_cast<void*>(in)),
                     bytes[static_cast<std::size_t>(rank())]);
    options.setOutput(static_cast<std::uint8_t*>(out),
                      std::vector<std::size_t>(bytes.begin(), bytes.end()));
    guarded([&] { gloo::allgatherv(options); });
  }

  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t> from) override {
    gloo::AlltoallvOptions options(context_);
    options.setInput(static_cast<std::uint8_t*>(const_cast<void*>(in)), counts_of(to));
    options.setOutput(static_cast<std::uint8_t*>(out), counts_of(from));
    guarded([&] { gloo::alltoallv(options); });
  }

  void broadcast(void* data, std::size_t bytes, int root) override {
    if (bytes == 0) return;
    gloo::BroadcastOptions options(context_);
    options.setOutput(static_cast<std::uint8_t*>(data), bytes);
    options.setRoot(root);
    guarded([&] { gloo::broadcast(options); });
  }

  void barrier() override {
    gloo::BarrierOptions options(context_);
    guarded([&] { gloo::barrier(options); });
  }

  std::unique_ptr<Transfer> send(const void* data, std::size_t bytes, int to,
                                 std::uint32_t tag) override {
    auto buffer = context_->createUnboundBuffer(const_cast<void*>(data), bytes);
    guarded([&] { buffer->send(to, tag); });
    return std::make_unique<GlooTransfer>(std::move(buffer), false, wait_);
  }
  std::unique_ptr<Transfer> receive(void* data, std::size_t bytes, int from,
                                    std::uint32_t tag) override {
    auto buffer = context_->createUnboundBuffer(data, bytes);
    guarded([&] { buffer->recv(from, tag); });
    return std::make_unique<GlooTransfer>(std::move(buffer), true, wait_);
  }

  void abort(const std::string& reason) noexcept override {
    try {
      // The reason first, then the connections: the others fall out of their waits and find it.
      client_->set(kReason, reason.substr(0, kMostOfReason), kLastWords);
    } catch (const std::exception&) {
      // Rank 0 is gone: the others notice by themselves.
    }
    try {
      context_->closeConnections();
    } catch (const std::exception&) {
      // Closed already.
    }
  }

  std::string reason_of_abort() noexcept override {
    try {
      return client_->find(kReason, kLastWords).value_or("");
    } catch (const std::exception&) {
      return "";
    }
  }

 private:
  static constexpr std::size_t kMostOfReason = 4096;
  // The program is about to end, and rank 0 may be out of reach.
  static constexpr std::chrono::milliseconds kLastWords{2000};

  template <class Action>
  void guarded(Action action) {
    try {
      action();
    } catch (const std::exception& error) {
      throw PeerLost(fmt::format("rank {} ({}): another rank is gone or does not answer: {}",
                                 rank(), host_name(), error.what()));
    }
  }

  std::chrono::milliseconds wait_;
  std::unique_ptr<StoreServer> server_;
  std::unique_ptr<StoreClient> client_;
  std::shared_ptr<gloo::rendezvous::Context> context_;
};

}  // namespace
}  // namespace weft

extern "C" __attribute__((visibility("default"))) weft::CommEngine* weft_open_engine(
    const weft::Launch& launch, std::chrono::milliseconds wait) {
  // Gloo itself crashes in some operations of a rank without others.
  if (launch.size == 1) return weft::self_engine().release();
  if (launch.address.empty() || launch.size < 1) {
    throw weft::Error(weft::ErrorKind::usage,
                      "the engine 'gloo' needs the variables RANK, WORLD_SIZE, MASTER_ADDR and "
                      "MASTER_PORT");
  }
  try {
    return new weft::GlooEngine(launch, wait);
  } catch (const gloo::Exception& error) {
    throw weft::PeerLost(std::string("the ranks do not find each other: ") + error.what());
  }
}
