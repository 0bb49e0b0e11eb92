// Messages of any length between ranks that do not wait for each other: each is received when its
// receiver looks for it. Source: docs/distributed.md, "async.v1".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"
#include "registry/base/export.h"

namespace weft {

struct RankMessage {
  int from = 0;
  std::string bytes;
};

class WEFT_API Mailbox {
 public:
  // `longest`: bytes of a message. Another rank that announces a longer one is taken for lost.
  Mailbox(std::shared_ptr<Communicator> comm, std::size_t longest);

  // Does not wait. Messages to a rank arrive in their order; they are not empty.
  void send(int to, std::string bytes);
  // From now on the next message of that rank is received.
  void listen(int from);
  // One that has arrived or is just arriving, whose sender is not listened to any more; nothing if
  // there is none after so long. Throws PeerLost where a rank that is listened to is gone.
  std::optional<RankMessage> take(std::chrono::milliseconds patience = {});

 private:
  // Of a rank the length of a message is received, then the message.
  struct Incoming {
    std::shared_ptr<std::uint64_t> length;
    std::shared_ptr<std::string> bytes;  // null: the length is on its way
    std::optional<Work> work;            // nothing: nobody listens
  };
  std::optional<RankMessage> take_arrived();
  void receive_bytes(int from);

  std::shared_ptr<Communicator> comm_;
  std::size_t longest_;
  std::vector<Incoming> incoming_;  // by rank
};

}  // namespace weft
