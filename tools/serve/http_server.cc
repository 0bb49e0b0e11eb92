#include "tools/serve/http_server.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>

#include "registry/base/error.h"
#include "registry/base/letter_case.h"
#include "tools/serve/body_inflater.h"
#include "tools/serve/connection.h"
#include "tools/serve/connection_queue.h"
#include "tools/serve/request_head.h"

namespace weft::tools {
namespace {

// The library's own way would copy the body.
void send(HttpReply reply, httplib::Response& response) {
  response.status = reply.status;
  response.set_content("", 0, reply.type.c_str());
  response.body = std::move(reply.body);
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
      return error_reply(405, "usage", "texts come by POST /annotate; the others are read by GET");
    case 408:
      return error_reply(408, "limit", "the body did not come within --timeout");
    case 413:
      return error_reply(413, "limit", "the body is larger than --max-bytes allows");
    case 414:
      return error_reply(414, "limit", "the address is too long");
    case 415:
      return error_reply(415, "usage",
                         "a body is application/json, plain or compressed by gzip, deflate or br");
    case 416:
      return error_reply(416, "usage",
                         "the header Range cannot be read; leave it out, answers are sent whole");
    default:
      return error_reply(status, status < 500 ? "usage" : "internal",
                         status < 500 ? "this is no request that can be read"
                                      : "the request could not be answered");
  }
}

HttpReply unclear() {
  return error_reply(400, "usage",
                     "it is not certain where the request ends: a body has one Content-Length, or "
                     "Transfer-Encoding: chunked, and every header is a line of its own, a name, a "
                     "colon and printable text");
}

HttpReply cut_off() {
  return error_reply(400, "data",
                     "the packed body is damaged or cut off; its end has a checksum that shows it");
}

bool is_json(const httplib::Request& request) {
  const std::string type = lower_case(request.get_header_value("Content-Type"));
  constexpr std::string_view kJson = "application/json";
  return type.compare(0, kJson.size(), kJson) == 0 &&
         (type.size() == kJson.size() || type[kJson.size()] == ';' || type[kJson.size()] == ' ');
}

// The encodings that the library undoes.
bool is_known_encoding(const std::string& name) {
  return name.empty() || name == "identity" || name == "gzip" || name == "deflate" || name == "br";
}

bool is_path(const std::string& path) {
  return path == "/annotate" || path == "/health" || path == "/metrics";
}

bool has_body(const httplib::Request& request) {
  const std::string length = request.get_header_value("Content-Length");
  return (!length.empty() && length != "0") || request.has_header("Transfer-Encoding");
}

// One that speaks HTTP/1.0 and does not ask for it gets one answer.
bool expects_close(const httplib::Request& request) {
  return request.version == "HTTP/1.0" && request.get_header_value("Connection") != "Keep-Alive";
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
    // The library would read the body of a path that there is not, with limits of its own.
    set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (is_clear_ && is_path(request.path)) return HandlerResponse::Unhandled;
      send(is_clear_ ? refusal(404) : unclear(), response);
      return HandlerResponse::Handled;
    });
    set_routes();
    // The library does not know that the connection ends, and counts requests of its own; parts of
    // answers are not given out.
    set_post_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      response.headers.erase("Keep-Alive");
      response.headers.erase("Accept-Ranges");
      if (ends_well_ && !expects_close(request)) return;
      response.headers.erase("Connection");
      response.set_header("Connection", "close");
    });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) send(refusal(response.status), response);
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response,
                             const std::exception_ptr&) { send(refusal(500), response); });
  }

  int bind(const std::string& host, int port) {
    errno = 0;
    const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    if (bound > 0) {
      // The library has five connections wait to be accepted; the system drops further ones.
      ::listen(svr_sock_, SOMAXCONN);
      return bound;
    }
    throw Error(ErrorKind::system,
                fmt::format("{}:{} cannot be listened to: {}", host, port,
                            errno == 0 ? "no such address here" : std::strerror(errno)));
  }

  // A signal handler may only set a flag, so the flag is looked at from time to time.
  void run(const std::function<bool()>& stops) {
    std::atomic<bool> has_ended = false;
    std::thread listener([&] {
      try {
        listen_after_bind();
      } catch (const std::bad_alloc&) {  // for a connection that waits
      }
      has_ended = true;
    });
    while (!stops() && !has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const bool has_failed = has_ended;
    stopping_ = true;
    // Before it listens, `stop` does nothing.
    while (!is_running() && !has_ended) std::this_thread::yield();
    stop();
    listener.join();
    if (has_failed) {
      throw Error(ErrorKind::system,
                  "the system does not let the server accept connections any "
                  "more: it has too few files or too little memory left");
    }
  }

 private:
  void set_routes() {
    Post("/annotate",
         [this](const httplib::Request& request, httplib::Response& response,
                const httplib::ContentReader& read) { annotate(request, response, read); });
    Get("/annotate", refusing("POST"));
    Get("/health", [this](const httplib::Request&, httplib::Response& response) {
      send(service_.health(), response);
    });
    Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
      send(service_.metrics(), response);
    });
    refuse_other_methods("/annotate", "POST");
    for (const char* path : {"/health", "/metrics"}) {
      refuse_other_methods(path, "GET, HEAD");
      Post(path, unread(refusing("GET, HEAD")));
    }
  }

  static Handler refusing(const std::string& allowed) {
    return [allowed](const httplib::Request&, httplib::Response& response) {
      send(refusal(405), response);
      response.set_header("Allow", allowed);
    };
  }

  // The body stays where it is, and the connection ends behind the answer.
  static HandlerWithContentReader unread(const Handler& handler) {
    return [handler](const httplib::Request& request, httplib::Response& response,
                     const httplib::ContentReader&) { handler(request, response); };
  }

  void refuse_other_methods(const std::string& path, const std::string& allowed) {
    const Handler handler = refusing(allowed);
    Put(path, unread(handler));
    Patch(path, unread(handler));
    Delete(path, unread(handler));
    Options(path, handler);
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
    const auto take = [&](const char* bytes, std::size_t size) {
      is_too_large = body.size() + size > limits_.body_bytes;
      if (!is_too_large) body.append(bytes, size);
      return !is_too_large;
    };
    BodyInflater inflater;
    const bool is_read = read([&](const char* bytes, std::size_t size) {
      return inflates_ ? inflater.add(bytes, size, take) : take(bytes, size);
    });
    const bool is_whole = is_read && (!inflates_ || inflater.is_complete());
    // Lines may follow the last chunk, which the library does not read.
    ends_well_ = is_whole && !request.has_header("Transfer-Encoding");
    if (is_whole) {
      HttpReply reply = service_.annotate(body, connection_->deadline());
      held_ = std::move(reply.held);
      connection_->allow_time(reply.annotating);
      return send(std::move(reply), response);
    }
    const bool is_late = Connection::Clock::now() >= connection_->deadline();
    if (inflates_ && !is_too_large && !is_late) return send(cut_off(), response);
    if (is_too_large || is_late) response.status = is_too_large ? 413 : 408;
    if (response.status < 400) response.status = 400;
    send(refusal(response.status), response);
  }

  // One thread serves a connection from its first request to its last, at most kRequests of them.
  bool process_and_close_socket(socket_t socket) override {
    // An idle connection gives its thread to one that waits.
    const auto may_wait = [this] { return !stopping_ && waiting_ == 0; };
    try {
      Connection connection(socket, limits_);
      for (int count = 1; count <= ServeLimits::kRequests; ++count) {
        if (!connection.wait_for_request(may_wait)) break;
        if (!serve_request(connection, stopping_ || count == ServeLimits::kRequests)) break;
      }
    } catch (const std::bad_alloc&) {  // of the library; the others are answered still
    }
    return true;
  }

  // False where the connection is to be closed: the client wants it, or it is not certain where
  // the next request begins, because this one was not understood or its body not read to the end.
  bool serve_request(Connection& connection, bool is_last) {
    bool is_closed = false;
    const auto look = [&](httplib::Request& request) {
      is_clear_ = has_clear_end(connection.head());
      ends_well_ = request.method != "POST" && !has_body(request) && is_clear_;
      connection.allow_body(limits_.body_bytes);
      request.headers.erase("Accept-Encoding");  // answers are not compressed
      // A header that the library does not see: it gives the bytes as they came.
      const std::string coding = lower_case(request.get_header_value("Content-Encoding"));
      inflates_ = coding == "gzip" || coding == "deflate";
      request.headers.erase("Content-Encoding");
      if (!inflates_ && !coding.empty()) request.set_header("Content-Encoding", coding);
      // Parts of an answer could be asked for a thousand times over, each of them in memory.
      request.ranges.clear();
    };
    struct Sent {
      ~Sent() { held_ = nullptr; }
    };
    const Sent sent;  // also where the library throws
    status_ = 0;
    ends_well_ = is_clear_ = false;
    connection_ = &connection;
    const bool is_answered = process_request(connection, is_last, is_closed, look);
    if (status_ != 0) service_.answered(status_, connection.seconds());
    return is_answered && !is_closed && ends_well_;
  }

  HttpService service_;
  ServeLimits limits_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> waiting_ = 0;
  static thread_local int status_;              // of the answer that this thread gave last
  static thread_local bool ends_well_;          // the end of the request is known, and was read
  static thread_local bool is_clear_;           // nobody can differ on where it ends
  static thread_local bool inflates_;           // its body is inflated here, not by the library
  static thread_local Connection* connection_;  // that this thread serves
  static thread_local std::shared_ptr<const void> held_;  // HttpReply::held, while it is sent
};

thread_local int HttpServer::Server::status_ = 0;
thread_local bool HttpServer::Server::ends_well_ = false;
thread_local bool HttpServer::Server::is_clear_ = false;
thread_local bool HttpServer::Server::inflates_ = false;
thread_local Connection* HttpServer::Server::connection_ = nullptr;
thread_local std::shared_ptr<const void> HttpServer::Server::held_;

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
