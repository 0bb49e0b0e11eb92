#include "framework/comm/mailbox.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::uint32_t kLengthTag = 1, kBytesTag = 2;

// A message whose length has come is about to come itself.
constexpr std::chrono::milliseconds kAboutToCome{10};

}  // namespace

Mailbox::Mailbox(std::shared_ptr<Communicator> comm, std::size_t longest)
    : comm_(std::move(comm)),
      longest_(longest),
      incoming_(static_cast<std::size_t>(comm_->size())) {}

// Length and bytes are two messages with tags of their own; both live until the transfers are done,
// since these hold on to `sent`.
void Mailbox::send(int to, std::string bytes) {
  struct Sent {
    std::uint64_t length;
    std::string bytes;
  };
  const auto sent = std::make_shared<Sent>();
  sent->length = bytes.size();
  sent->bytes = std::move(bytes);
  comm_->send({&sent->length, 1, DType::u64}, to, kLengthTag, sent);
  comm_->send({sent->bytes.data(), sent->bytes.size(), DType::u8}, to, kBytesTag, sent);
}

void Mailbox::listen(int from) {
  Incoming& one = incoming_[static_cast<std::size_t>(from)];
  if (one.work) return;
  one.length = std::make_shared<std::uint64_t>(0);
  one.bytes = nullptr;
  one.work = comm_->receive({one.length.get(), 1, DType::u64}, from, kLengthTag, one.length);
}

void Mailbox::receive_bytes(int from) {
  Incoming& one = incoming_[static_cast<std::size_t>(from)];
  // Checked before memory is taken: the length comes from the network.
  if (*one.length > longest_) {
    throw PeerLost(fmt::format("rank {} announces a message of impossible length", from));
  }
  one.bytes = std::make_shared<std::string>(*one.length, '\0');
  one.work =
      comm_->receive({one.bytes->data(), one.bytes->size(), DType::u8}, from, kBytesTag, one.bytes);
}

// A rank whose length has come is listened to for the bytes at once.
std::optional<RankMessage> Mailbox::take_arrived() {
  for (std::size_t rank = 0; rank < incoming_.size(); ++rank) {
    Incoming& one = incoming_[rank];
    const int from = static_cast<int>(rank);
    if (!one.work || !one.work->is_done()) continue;
    one.work->wait();
    if (one.bytes == nullptr) {
      receive_bytes(from);
      continue;
    }
    one.work.reset();
    return RankMessage{from, std::move(*one.bytes)};
  }
  return std::nullopt;
}

std::optional<RankMessage> Mailbox::take(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (true) {
    std::optional<RankMessage> found = take_arrived();
    std::vector<Work> works;
    bool is_coming = false;
    for (const Incoming& one : incoming_) {
      if (one.work) works.push_back(*one.work);
      is_coming = is_coming || (one.work && one.bytes != nullptr);
    }
    const auto end = begin + (is_coming ? std::max(patience, kAboutToCome) : patience);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (found || left <= std::chrono::milliseconds(0)) return found;
    comm_->wait_for_any(works, left);
  }
}

}  // namespace weft
