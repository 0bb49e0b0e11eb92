// One rank: whatever is given to all comes back, and messages go to oneself.
#include <algorithm>
#include <cstring>
#include <list>
#include <vector>

#include "framework/comm/comm_error.h"
#include "framework/comm/engine.h"

namespace weft {
namespace {

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
}

struct Message {
  std::uint32_t tag;
  std::vector<std::byte> bytes;
};

class Sent final : public Transfer {
 public:
  bool is_done() override { return true; }
};

// Takes the first message with its tag, once there is one.
class Received final : public Transfer {
 public:
  Received(std::list<Message>& messages, void* data, std::size_t bytes, std::uint32_t tag)
      : messages_(messages), data_(data), bytes_(bytes), tag_(tag) {}
  bool is_done() override {
    const auto found = std::find_if(messages_.begin(), messages_.end(),
                                    [&](const Message& message) { return message.tag == tag_; });
    if (found == messages_.end()) return false;
    copy(data_, found->bytes.data(), std::min(bytes_, found->bytes.size()));
    messages_.erase(found);
    return true;
  }

 private:
  std::list<Message>& messages_;
  void* data_;
  std::size_t bytes_;
  std::uint32_t tag_;
};

class SelfEngine final : public CommEngine {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void all_reduce(void*, std::size_t, DType, ReduceOp) override {}
  void reduce_scatter(const void* in, void* out, std::size_t elements, DType type,
                      ReduceOp) override {
    copy(out, in, elements * size_of(type));
  }
  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    copy(out, in, bytes[0]);
  }
  void all_to_all_v(const void* in, std::span<const std::size_t> to, void* out,
                    std::span<const std::size_t>) override {
    copy(out, in, to[0]);
  }
  void broadcast(void*, std::size_t, int) override {}
  void barrier() override {}
  std::unique_ptr<Transfer> send(const void* data, std::size_t bytes, int,
                                 std::uint32_t tag) override {
    const auto* from = static_cast<const std::byte*>(data);
    messages_.push_back({tag, {from, from + bytes}});
    return std::make_unique<Sent>();
  }
  std::unique_ptr<Transfer> receive(void* data, std::size_t bytes, int,
                                    std::uint32_t tag) override {
    return std::make_unique<Received>(messages_, data, bytes, tag);
  }
  void abort(const std::string&) noexcept override {}
  std::string reason_of_abort() noexcept override { return ""; }

 private:
  std::list<Message> messages_;
};

}  // namespace

std::unique_ptr<CommEngine> self_engine() {
  return std::make_unique<SelfEngine>();
}

}  // namespace weft
