// The store by which ranks find each other: rank 0 serves it, every rank is a client. It carries
// addresses, and the reason of a rank that gives up; no tensors. Source: docs/distributed.md.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "framework/comm/store_message.h"
#include "framework/comm/turns.h"
#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API StoreServer {
 public:
  // Serves connections of the socket, which listens, until it is destroyed. A rank asks soon
  // after it has connected: a peer that has asked nothing for `longest_silence` is sent away.
  explicit StoreServer(Descriptor socket, std::chrono::milliseconds longest_silence = kSilence);
  ~StoreServer();
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;

 private:
  static constexpr std::chrono::seconds kSilence{60};
  using Clock = std::chrono::steady_clock;

  struct Peer {
    Descriptor socket;
    Clock::time_point came;
    std::string received = {};  // of a request that has not come whole
    bool has_asked = false;
  };
  void serve();
  // Waits for news of the peers, for a moment, and answers them.
  void look_around();
  bool may_end();
  void accept_peer();
  void send_silent_away();
  // Whether the connection goes on.
  bool read_from(Peer& peer);
  std::optional<std::string> answer(const std::string& bytes, std::size_t& used, bool& is_whole);

  Descriptor socket_;
  std::vector<Peer> peers_;
  std::map<std::string, std::string> values_;
  std::size_t bytes_ = 0;  // of all values
  std::atomic<bool> must_end_ = false;
  std::chrono::milliseconds longest_silence_;
  std::optional<Clock::time_point> latest_end_;
  std::thread thread_;
};

class WEFT_API StoreClient {
 public:
  // `wait`: for rank 0 to listen, and for each of its answers. Throws PeerLost.
  StoreClient(const std::string& address, std::uint16_t port, std::chrono::milliseconds wait);

  // Throw PeerLost where the connection is gone, or has no answer in time: within the constructor's
  // `wait`, which is long while ranks start, or within the one given.
  void set(const std::string& key, const std::string& value) { set(key, value, wait_); }
  void set(const std::string& key, const std::string& value, std::chrono::milliseconds wait);
  std::optional<std::string> find(const std::string& key) { return find(key, wait_); }
  std::optional<std::string> find(const std::string& key, std::chrono::milliseconds wait);
  // Waits for it. Throws PeerLost where it does not come in time.
  std::string get(const std::string& key, std::chrono::milliseconds wait);
  // Of this machine, as rank 0 sees it.
  const std::string& own_address() const { return own_address_; }

 private:
  // The answer that the bytes begin with. Throws PeerLost for bytes that are none.
  std::optional<ParsedAnswer> answer_in(const std::string& received);
  std::optional<std::string> ask(const std::string& request, std::chrono::milliseconds wait);

  Turns turns_;
  std::chrono::milliseconds wait_;
  Descriptor socket_;
  std::string own_address_;
};

}  // namespace weft
