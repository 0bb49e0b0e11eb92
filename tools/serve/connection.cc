#include "tools/serve/connection.h"

#include <algorithm>
#include <cerrno>
#include <new>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weft::tools {
namespace {

constexpr std::size_t kBuffer = 16 << 10;

}  // namespace

Connection::Connection(socket_t socket, const ServeLimits& limits) try
    : socket_(socket), limits_(limits), began_(Clock::now()), deadline_(began_), buffer_(kBuffer) {
} catch (const std::bad_alloc&) {
  ::close(socket);
}

Connection::~Connection() {
  constexpr std::chrono::milliseconds kLinger{200};
  constexpr std::size_t kMostDropped = 1 << 20;
  // A socket that is closed with bytes unread resets the connection, and the client may lose the
  // answer that is on its way (to a request that is too long, of all). So the rest is read for a
  // moment, up to a limit.
  ::shutdown(socket_, SHUT_WR);
  const auto until = Clock::now() + kLinger;
  std::size_t dropped = 0;
  while (dropped < kMostDropped && ready(POLLIN, until)) {
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got <= 0) break;
    dropped += static_cast<std::size_t>(got);
  }
  ::close(socket_);
}

bool Connection::wait_for_request(const std::function<bool()>& may_wait) {
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  const auto until = Clock::now() + ServeLimits::kIdle;
  // Waits in short parts, so that a server which stops does not wait for idle clients.
  while (place_ == end_ && !ready(POLLIN, Clock::now() + kBetweenLooks)) {
    if (Clock::now() >= until || !may_wait()) return false;
  }
  began_ = Clock::now();
  // One deadline for the whole request: a client that sends a byte now and then gains nothing.
  deadline_ = began_ + limits_.time;
  left_ = ServeLimits::kHeaderBytes;
  in_head_ = true;
  head_.clear();
  return place_ != end_ || fill();
}

double Connection::seconds() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

bool Connection::ready(short events, Clock::time_point until) const {
  while (true) {
    // Rounded up: once it says no, the time is over by the clock too.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    struct pollfd socket {
      socket_, events, 0
    };
    const int found = ::poll(&socket, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (found > 0) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

bool Connection::fill() {
  while (ready(POLLIN, deadline_)) {
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (got <= 0) return false;
    place_ = 0;
    end_ = static_cast<std::size_t>(got);
    return true;
  }
  return false;
}

bool Connection::is_readable() const {
  return place_ != end_ || ready(POLLIN, deadline_);
}

bool Connection::is_writable() const {
  return ready(POLLOUT, deadline_);
}

ssize_t Connection::read(char* bytes, std::size_t size) {
  // Bytes that a request may still have: its head has a limit of its own, the body another.
  size = std::min(size, left_);
  if (size == 0 || (place_ == end_ && !fill())) return -1;
  const std::size_t count = std::min(size, end_ - place_);
  std::copy_n(buffer_.data() + place_, count, bytes);
  if (in_head_) head_.append(bytes, count);
  place_ += count;
  left_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* bytes, std::size_t size) {
  std::size_t sent = 0;
  while (sent < size) {
    if (!is_writable()) return -1;
    const ssize_t count = ::send(socket_, bytes + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      return -1;
    }
  }
  return static_cast<ssize_t>(size);
}

// Nothing is told of who asks: no log holds addresses.
void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace weft::tools
