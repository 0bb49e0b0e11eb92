#include "tools/serve/http_server.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "tools/serve/connection.h"
#include "tools/serve/connection_queue.h"

namespace weft::tools {
namespace {

void send(const HttpReply& reply, httplib::Response& response) {
  response.status = reply.status;
  response.set_content(reply.body, reply.type.c_str());
  if (reply.retry_after > 0) {
    response.set_header("Retry-After", std::to_string(reply.retry_after));
  }
}

HttpReply refusal(int status) {
  switch (status) {
    case 404:
      return error_reply(404, "usage",
                         "there is nothing here; POST /annotate, GET /health, GET /metrics");
    case 405:
      return error_reply(405, "usage", "texts come by POST");
    case 413:
      return error_reply(413, "limit", "the body is larger than --max-bytes allows");
    case 414:
      return error_reply(414, "limit", "the address is too long");
    case 415:
      return error_reply(415, "usage",
                         "a body is application/json, plain or compressed by gzip, deflate or br");
    default:
      return error_reply(status, status < 500 ? "usage" : "internal",
                         status < 500 ? "this is no request that can be read"
                                      : "the request could not be answered");
  }
}

bool is_json(const httplib::Request& request) {
  const std::string type = request.get_header_value("Content-Type");
  constexpr std::string_view kJson = "application/json";
  return type.compare(0, kJson.size(), kJson) == 0 &&
         (type.size() == kJson.size() || type[kJson.size()] == ';' || type[kJson.size()] == ' ');
}

// The encodings that the library undoes.
bool is_known_encoding(const std::string& name) {
  return name.empty() || name == "identity" || name == "gzip" || name == "deflate" || name == "br";
}

// A body where none belongs, or one of two lengths, may hide a second request.
bool is_doubtful(const httplib::Request& request) {
  const bool has_length = request.has_header("Content-Length");
  const bool is_chunked = request.has_header("Transfer-Encoding");
  if (request.method != "POST") return has_length || is_chunked;
  return (has_length && is_chunked) || request.get_header_value_count("Content-Length") > 1;
}

}  // namespace

class HttpServer::Server : public httplib::Server {
 public:
  Server(HttpService service, const ServeLimits& limits)
      : service_(std::move(service)), limits_(limits) {
    new_task_queue = [this] { return new ConnectionQueue(limits_.connections, waiting_); };
    set_payload_max_length(limits_.body_bytes);
    set_tcp_nodelay(true);
    set_logger([](const httplib::Request&, const httplib::Response& response) {
      status_ = response.status;
    });
    set_routes();
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) send(refusal(response.status), response);
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response,
                             const std::exception_ptr&) { send(refusal(500), response); });
  }

  int bind(const std::string& host, int port) {
    errno = 0;
    const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    if (bound > 0) return bound;
    throw Error(ErrorKind::system,
                fmt::format("{}:{} cannot be listened to: {}", host, port,
                            errno == 0 ? "no such address here" : std::strerror(errno)));
  }

  // A signal handler may only set a flag, so the flag is looked at from time to time.
  void run(const std::function<bool()>& stops) {
    std::thread listener([this] { listen_after_bind(); });
    while (!stops()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stopping_ = true;
    stop();
    listener.join();
  }

 private:
  void set_routes() {
    Post("/annotate",
         [this](const httplib::Request& request, httplib::Response& response,
                const httplib::ContentReader& read) { annotate(request, response, read); });
    Get("/annotate", [](const httplib::Request&, httplib::Response& response) {
      send(refusal(405), response);
      response.set_header("Allow", "POST");
    });
    Get("/health", [this](const httplib::Request&, httplib::Response& response) {
      send(service_.health(), response);
    });
    Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
      send(service_.metrics(), response);
    });
  }

  // The body comes in pieces that are decompressed already. The limit holds for them: a small body
  // can unpack to a very large one, and is refused as soon as it does.
  void annotate(const httplib::Request& request, httplib::Response& response,
                const httplib::ContentReader& read) {
    if (!is_json(request) || request.is_multipart_form_data() ||
        !is_known_encoding(request.get_header_value("Content-Encoding"))) {
      return send(refusal(415), response);
    }
    std::string body;
    bool is_too_large = false;
    const bool is_whole = read([&](const char* bytes, std::size_t size) {
      is_too_large = body.size() + size > limits_.body_bytes;
      if (!is_too_large) body.append(bytes, size);
      return !is_too_large;
    });
    if (is_whole) return send(service_.annotate(body), response);
    if (is_too_large || response.status < 400) response.status = is_too_large ? 413 : 400;
    send(refusal(response.status), response);
  }

  // One thread serves a connection from its first request to its last, at most kRequests of them.
  // After a doubtful request the connection is closed, as it is not certain where the next one
  // begins.
  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket, limits_);
    // An idle connection gives its thread to one that waits.
    const auto may_wait = [this] { return !stopping_ && waiting_ == 0; };
    for (int count = 1; count <= ServeLimits::kRequests; ++count) {
      if (!connection.wait_for_request(may_wait)) break;
      bool is_closed = false, is_last = false;
      const bool closes = stopping_ || count == ServeLimits::kRequests;
      const auto look = [&](httplib::Request& request) {
        is_last = is_doubtful(request);
        connection.allow_body(limits_.body_bytes);
        request.headers.erase("Accept-Encoding");  // answers are not compressed
      };
      status_ = 0;
      const bool is_answered = process_request(connection, closes, is_closed, look);
      if (status_ != 0) service_.answered(status_, connection.seconds());
      if (!is_answered || is_closed || is_last) break;
    }
    return true;
  }

  HttpService service_;
  ServeLimits limits_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> waiting_ = 0;
  static thread_local int status_;  // of the answer that this thread gave last
};

thread_local int HttpServer::Server::status_ = 0;

HttpServer::HttpServer(HttpService service, const ServeLimits& limits)
    : server_(std::make_unique<Server>(std::move(service), limits)) {}

HttpServer::~HttpServer() = default;

int HttpServer::bind(const std::string& host, int port) {
  return server_->bind(host, port);
}

void HttpServer::run(const std::function<bool()>& stops) {
  server_->run(stops);
}

}  // namespace weft::tools
