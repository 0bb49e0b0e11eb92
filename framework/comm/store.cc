#include "framework/comm/store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/last_words.h"
#include "framework/comm/socket.h"
#include "framework/comm/store_message.h"

namespace weft {
namespace {

// Enough for any cluster; more is not from its ranks.
constexpr std::size_t kMostPeers = std::size_t{1} << 16;
constexpr std::size_t kMostStored = std::size_t{1} << 28;
constexpr std::size_t kMostPending = 2 * kLongestStoreValue;
constexpr int kLookMilliseconds = 50;
constexpr int kMostSendingSeconds = 1;
// Silent peers at once: strangers must not use up the descriptors that the run needs for files.
constexpr std::ptrdiff_t kMostSilent = 256;

// Bytes that are there; nothing where the connection is gone.
std::optional<std::string> read_some(const Descriptor& socket) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t count = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
  if (count < 0 && errno == EINTR) return "";
  if (count <= 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(count));
}

// Whether something can be read, or the connection has ended, before the deadline.
bool has_news(const Descriptor& socket, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd one{socket.get(), POLLIN, 0};
    constexpr std::int64_t most = 60'000;  // of a wait that is begun again
    if (::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left.count(), most))) > 0) {
      return true;
    }
  }
}

}  // namespace

StoreServer::StoreServer(Descriptor socket, std::chrono::milliseconds longest_silence)
    : socket_(std::move(socket)), longest_silence_(longest_silence), thread_([this] { serve(); }) {}

StoreServer::~StoreServer() {
  must_end_ = true;
  thread_.join();
}

void StoreServer::accept_peer() {
  Descriptor peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!peer) {
    // No descriptor is left, and the one that waits would be told of at once again.
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookMilliseconds));
    return;
  }
  if (peers_.size() >= kMostPeers) return;
  // A peer that asks and does not read the answers loses its connection, as the thread is one for
  // all.
  const timeval most{kMostSendingSeconds, 0};
  if (::setsockopt(peer.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) != 0) return;
  peers_.push_back({std::move(peer), Clock::now()});
}

// Ends the connections of peers that have asked nothing for too long, and of the oldest silent ones
// where there are too many. Peers stand in the order in which they came.
void StoreServer::send_silent_away() {
  const auto latest = Clock::now() - longest_silence_;
  std::ptrdiff_t silent =
      std::count_if(peers_.begin(), peers_.end(), [](const Peer& peer) { return !peer.has_asked; });
  std::erase_if(peers_, [&](const Peer& peer) {
    if (peer.has_asked || (peer.came > latest && silent <= kMostSilent)) return false;
    --silent;
    return true;
  });
}

std::optional<std::string> StoreServer::answer(const std::string& bytes, std::size_t& used,
                                               bool& is_whole) {
  const auto parsed = parse_store_request(bytes);
  is_whole = parsed.has_value();
  if (!parsed) return std::nullopt;
  used = parsed->length;
  const StoreRequest& request = parsed->request;
  if (request.kind == StoreRequest::Kind::get) {
    const auto found = values_.find(request.key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  bytes_ += request.key.size() + request.value.size();
  if (bytes_ > kMostStored) throw Error(ErrorKind::data, "the store of the ranks is full");
  values_[request.key] = request.value;
  return "";
}

bool StoreServer::read_from(Peer& peer) {
  try {
    const auto more = read_some(peer.socket);
    if (!more) return false;
    peer.received += *more;
    if (peer.received.size() > kMostPending) return false;
    while (true) {
      std::size_t used = 0;
      bool is_whole = false;
      const auto value = answer(peer.received, used, is_whole);
      if (!is_whole) return true;
      peer.received.erase(0, used);
      peer.has_asked = true;
      if (!send_all(peer.socket, store_answer(value))) return false;
    }
  } catch (const Error&) {
    return false;  // this is no rank of the run
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// Where a rank has said why it gives the run up, the others get the time to ask.
bool StoreServer::may_end() {
  constexpr std::chrono::seconds kLonger{2};
  if (!must_end_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!latest_end_) latest_end_ = now + kLonger;
  return peers_.empty() || !values_.contains(kLastWordsKey) || now > *latest_end_;
}

// One thread serves all ranks. It looks at `must_end_` at least every 50 milliseconds; a peer that
// sends anything but requests loses its connection, and the others notice nothing.
void StoreServer::serve() {
  while (!may_end()) {
    try {
      look_around();
    } catch (const std::bad_alloc&) {
      continue;  // peers that were asked meanwhile have lost their connections
    }
  }
}

void StoreServer::look_around() {
  std::vector<pollfd> all = {{socket_.get(), POLLIN, 0}};
  for (const Peer& peer : peers_) all.push_back({peer.socket.get(), POLLIN, 0});
  const int news = ::poll(all.data(), all.size(), kLookMilliseconds);
  if (news <= 0) return send_silent_away();
  std::vector<Peer> kept;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    const bool has_news = (all[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
    if (!has_news || read_from(peers_[i])) kept.push_back(std::move(peers_[i]));
  }
  peers_ = std::move(kept);
  send_silent_away();
  if ((all[0].revents & POLLIN) != 0) accept_peer();
}

StoreClient::StoreClient(const std::string& address, std::uint16_t port,
                         std::chrono::milliseconds wait)
    : wait_(wait),
      socket_(connect_to(address, port, std::chrono::steady_clock::now() + wait)),
      own_address_(weft::own_address(socket_)) {}

std::optional<ParsedAnswer> StoreClient::answer_in(const std::string& received) {
  try {
    return parse_store_answer(received);
  } catch (const Error& error) {
    socket_.reset();
    throw PeerLost(std::string("rank 0 gives no answer of a store: ") + error.message());
  }
}

std::optional<std::string> StoreClient::ask(const std::string& request,
                                            std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  // One question at a time: an answer belongs to the last question. Waiting for the turn counts as
  // waiting for the answer.
  const std::unique_lock lock(turns_, deadline);
  const char* const gone = "rank 0 does not answer any longer";
  if (!lock || !socket_ || !send_all(socket_, request)) throw PeerLost(gone);
  std::string received;
  while (true) {
    if (auto parsed = answer_in(received)) return std::move(parsed->value);
    const auto more = has_news(socket_, deadline) ? read_some(socket_) : std::nullopt;
    if (!more) {
      // The stream may stand in the middle of an answer: it is of no use any more.
      socket_.reset();
      throw PeerLost(gone);
    }
    received += *more;
  }
}

void StoreClient::set(const std::string& key, const std::string& value,
                      std::chrono::milliseconds wait) {
  ask(store_request({StoreRequest::Kind::set, key, value}), wait);
}

std::optional<std::string> StoreClient::find(const std::string& key,
                                             std::chrono::milliseconds wait) {
  return ask(store_request({StoreRequest::Kind::get, key, ""}), wait);
}

// Asks again and again: ranks only meet so at their start, and the server stays free of waiting
// peers.
std::string StoreClient::get(const std::string& key, std::chrono::milliseconds wait) {
  constexpr std::chrono::milliseconds pause(5);
  const auto deadline = std::chrono::steady_clock::now() + wait;
  while (true) {
    if (auto value = find(key)) return std::move(*value);
    if (std::chrono::steady_clock::now() >= deadline) {
      throw PeerLost(fmt::format("not all ranks came within {:.3g} seconds",
                                 std::chrono::duration<double>(wait).count()));
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace weft
