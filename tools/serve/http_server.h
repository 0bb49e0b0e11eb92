// The HTTP server of `weft serve`: connections, limits, and which path is whose. The only file that
// knows which library speaks HTTP.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tools/serve/reply.h"
#include "tools/serve/serve_limits.h"

namespace weft::tools {

class HttpServer {
 public:
  HttpServer(HttpService service, const ServeLimits& limits);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Takes the address; gives the port, which is one that is free for 0. Throws Error(system).
  int bind(const std::string& host, int port);
  // Serves until `stops` says so, which is asked about twenty times a second; then no connection is
  // accepted any more, requests that have begun are answered, and it returns.
  void run(const std::function<bool()>& stops);

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace weft::tools
