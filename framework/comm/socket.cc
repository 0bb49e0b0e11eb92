#include "framework/comm/socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include "framework/comm/comm_error.h"

namespace weft {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

// Null where the name is not known.
Addresses addresses_of(const char* address, std::uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  if (::getaddrinfo(address, service.c_str(), &hints, &found) != 0) found = nullptr;
  return {found, &::freeaddrinfo};
}

Descriptor new_socket() {
  return Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

// 0, or the error of the system.
int try_to_listen(const Descriptor& socket, const addrinfo* at) {
  const int yes = 1;
  // A run that follows at once on the same port does not wait for the old connections to time out.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (at == nullptr) return EADDRNOTAVAIL;
  if (::bind(socket.get(), at->ai_addr, at->ai_addrlen) != 0) return errno;
  return ::listen(socket.get(), SOMAXCONN) == 0 ? 0 : errno;
}

// 0 once it is connected, or the error of the system. A network that drops packets gives none for
// minutes: the deadline ends the try.
int try_to_connect(const Descriptor& socket, const addrinfo* at,
                   std::chrono::steady_clock::time_point deadline) {
  const int flags = ::fcntl(socket.get(), F_GETFL);
  ::fcntl(socket.get(), F_SETFL, flags | O_NONBLOCK);
  if (::connect(socket.get(), at->ai_addr, at->ai_addrlen) != 0) {
    if (errno != EINPROGRESS) return errno;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd one{socket.get(), POLLOUT, 0};
    const int most = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
    if (::poll(&one, 1, most) <= 0) return ETIMEDOUT;
    int error = 0;
    socklen_t length = sizeof(error);
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return error;
  }
  ::fcntl(socket.get(), F_SETFL, flags);
  return 0;
}

}  // namespace

Descriptor listen_at(const std::string& address, std::uint16_t port) {
  Descriptor socket = new_socket();
  int error = try_to_listen(socket, addresses_of(address.c_str(), port, 0).get());
  if (error == EADDRNOTAVAIL) {
    socket = new_socket();
    error = try_to_listen(socket, addresses_of(nullptr, port, AI_PASSIVE).get());
  }
  if (error == 0) return socket;
  throw Error(ErrorKind::usage,
              fmt::format("rank 0 cannot wait for the others at {}:{}: {}; WEFT_COMM_PORT sets "
                          "another port, on all ranks",
                          address, port, std::strerror(error)));
}

std::uint16_t port_of(const Descriptor& socket) {
  sockaddr_in at{};
  socklen_t length = sizeof(at);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &length) != 0) return 0;
  return ntohs(at.sin_port);
}

// Rank 0 may start later than the others, and its name may not be known yet: both are tried again.
// A name that stays unknown is a wrong one, so that it is waited for less long.
Descriptor connect_to(const std::string& address, std::uint16_t port,
                      std::chrono::steady_clock::time_point deadline) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds name_wait(30);
  constexpr std::chrono::seconds try_wait(10);  // for one of several addresses of the name
  constexpr std::chrono::milliseconds longest_pause(1000);
  std::chrono::milliseconds pause(20);
  const Clock::time_point name_deadline = std::min(deadline, Clock::now() + name_wait);
  std::string why;
  bool was_known = false;
  do {
    const Addresses all = addresses_of(address.c_str(), port, 0);
    was_known = was_known || all != nullptr;
    if (!was_known) why = "the name is not known; MASTER_ADDR says where rank 0 runs";
    for (const addrinfo* at = all.get(); at != nullptr; at = at->ai_next) {
      Descriptor socket = new_socket();
      const int error = try_to_connect(socket, at, std::min(deadline, Clock::now() + try_wait));
      if (error == 0) return socket;
      why = std::strerror(error);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    std::this_thread::sleep_for(std::clamp(left, std::chrono::milliseconds(0), pause));
    pause = std::min(2 * pause, longest_pause);
  } while (Clock::now() < (was_known ? deadline : name_deadline));
  throw PeerLost(fmt::format("rank 0 cannot be reached at {}:{}: {}", address, port, why));
}

std::string own_address(const Descriptor& socket) {
  sockaddr_in at{};
  socklen_t length = sizeof(at);
  std::array<char, INET_ADDRSTRLEN> text{};
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &length) != 0) return "";
  ::inet_ntop(AF_INET, &at.sin_addr, text.data(), text.size());
  return text.data();
}

bool send_all(const Descriptor& socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace weft
