// The bytes of one connection, within limits of time and size that hold for a request as a whole: a
// client that sends a byte a second runs out of time like one that sends nothing.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <httplib.h>

#include "tools/serve/serve_limits.h"

namespace weft::tools {

class Connection : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // The socket is its own, and closed where there is no memory for it (std::bad_alloc).
  Connection(socket_t socket, const ServeLimits& limits);
  // Ends the answer and closes the socket; bytes that still come are dropped, so that the client
  // gets to read the answer.
  ~Connection() override;

  // Waits for the next request's first byte. False where none comes, or `may_wait` says no.
  bool wait_for_request(const std::function<bool()>& may_wait);
  // Its first lines up to the empty one, as they came.
  const std::string& head() const { return head_; }
  // Once they are read: the body may have so many bytes.
  void allow_body(std::size_t bytes) {
    left_ += bytes;
    in_head_ = false;
  }
  // Time since that byte.
  double seconds() const;
  // The request has so much more time: its texts took that long to be annotated.
  void allow_time(Clock::duration time) { deadline_ += time; }
  // By when the answer is to be written.
  Clock::time_point deadline() const { return deadline_; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* bytes, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool ready(short events, Clock::time_point until) const;
  bool fill();

  socket_t socket_;
  const ServeLimits& limits_;
  Clock::time_point began_, deadline_;
  std::size_t left_ = 0;  // bytes that the request may still have
  bool in_head_ = true;
  std::string head_;
  std::vector<char> buffer_;
  std::size_t place_ = 0, end_ = 0;
};

}  // namespace weft::tools
