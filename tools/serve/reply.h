// Requests and answers of HTTP, as far as the service sees them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace weft::tools {

struct HttpReply {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";
  int retry_after = 0;                         // seconds; 0: says nothing
  std::shared_ptr<const void> held = nullptr;  // until it is sent: its share of a limit of memory
  std::chrono::steady_clock::duration annotating = {};  // which the time of a request is without
};

// {"error": {"kind": "data", "message": "..."}}; line and column where they are known.
HttpReply error_reply(int status, const std::string& kind, const std::string& message, int line = 0,
                      int column = 0);

// The functions that answer; any thread may call them.
struct HttpService {
  // `deadline`: for a thread to be free.
  std::function<HttpReply(const std::string& body, std::chrono::steady_clock::time_point deadline)>
      annotate;
  std::function<HttpReply()> health;
  std::function<HttpReply()> metrics;
  // Told of every answer that was sent, those that the server gives by itself too.
  std::function<void(int status, double seconds)> answered;
};

}  // namespace weft::tools
