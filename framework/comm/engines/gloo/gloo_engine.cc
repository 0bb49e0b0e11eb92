// Gloo over TCP: a dead peer becomes an exception at once, and no launcher is needed.
#include <algorithm>
#include <cstring>
#include <future>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gloo/algorithm.h>
#include <gloo/allreduce.h>
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
#include "framework/comm/last_words.h"
#include "framework/comm/socket.h"

namespace weft {
namespace {

// Of messages in an exchange between all ranks; tags of others have 32 bits, Gloo's own begin
// above.
constexpr std::uint64_t kExchange = std::uint64_t{1} << 32;

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

// Of a buffer that has a part for each rank.
struct Part {
  std::size_t begin = 0, bytes = 0;
};
using Parts = std::vector<Part>;

Parts parts_of(std::span<const std::size_t> bytes) {
  Parts parts;
  std::size_t begin = 0;
  for (const std::size_t count : bytes) {
    parts.push_back({begin, count});
    begin += count;
  }
  return parts;
}

std::size_t end_of(const Parts& parts) {
  std::size_t end = 0;
  for (const Part& part : parts) end = std::max(end, part.begin + part.bytes);
  return end;
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
    const Parts from = parts_of(bytes);
    const Part own = from[static_cast<std::size_t>(rank())];
    auto* place = static_cast<std::byte*>(out) + own.begin;
    if (own.bytes > 0 && in != place) std::memcpy(place, in, own.bytes);
    exchange(out, Parts(bytes.size(), own), out, from);
  }

  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t> from) override {
    const auto self = static_cast<std::size_t>(rank());
    const Parts sent = parts_of(to), received = parts_of(from);
    if (sent[self].bytes > 0) {
      std::memcpy(static_cast<std::byte*>(out) + received[self].begin,
                  static_cast<const std::byte*>(in) + sent[self].begin, sent[self].bytes);
    }
    exchange(in, sent, out, received);
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
    // The reason first, then the connections: the others fall out of their waits and find it.
    tell_last_words(*client_, reason);
    try {
      context_->closeConnections();
    } catch (const std::exception&) {
      // Closed already.
    }
  }

  std::string reason_of_abort() noexcept override { return find_last_words(*client_); }

 private:
  // Calls use(rank, part) for each other rank whose part is not empty, and counts them. Ranks begin
  // with their neighbours, so that not all of them send to rank 0 first.
  template <class Use>
  int for_each_other(const Parts& parts, Use use) const {
    int count = 0;
    for (int i = 1; i < size(); ++i) {
      const int other = (rank() + i) % size();
      const Part& part = parts[static_cast<std::size_t>(other)];
      if (part.bytes == 0) continue;
      use(other, part);
      ++count;
    }
    return count;
  }

  template <class Action>
  void guarded(Action action) {
    try {
      action();
    } catch (const std::exception& error) {
      throw PeerLost(fmt::format("rank {} ({}): another rank is gone or does not answer: {}",
                                 rank(), host_name(), error.what()));
    }
  }

  // Every other rank gets its part of `in` and gives one of `out`, all at the same time. Sizes are
  // known on both sides: empty parts are left out.
  //
  // Receives come first. Gloo tells a peer that it may send in a message that waits its turn behind
  // what is being sent to it already: a peer that was told behind a large part would begin once
  // that has arrived, and of the link's two directions one would be used at a time. Gloo's own
  // operations post the send first.
  void exchange(const void* in, const Parts& to, void* out, const Parts& from) {
    guarded([&] {
      const auto sent = context_->createUnboundBuffer(const_cast<void*>(in), end_of(to));
      const auto received = context_->createUnboundBuffer(out, end_of(from));
      const int receives = for_each_other(from, [&](int other, const Part& part) {
        received->recv(other, kExchange, part.begin, part.bytes);
      });
      const int sends = for_each_other(to, [&](int other, const Part& part) {
        sent->send(other, kExchange, part.begin, part.bytes);
      });
      for (int i = 0; i < receives; ++i) received->waitRecv(wait_);
      for (int i = 0; i < sends; ++i) sent->waitSend(wait_);
    });
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
