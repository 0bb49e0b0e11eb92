// The command `serve`: a pipeline behind HTTP on this machine. docs/serve.md
#include <iostream>

#include <fmt/format.h>
#include <malloc.h>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/component_choice.h"
#include "tools/interrupt.h"
#include "tools/precision_option.h"
#include "tools/serve/http_server.h"
#include "tools/serve/text_service.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

ServeLimits limits_of(const CommandLine& line) {
  ServeLimits limits;
  limits.body_bytes =
      static_cast<std::size_t>(line.number_within("max-bytes", 1 << 20, 1, 1 << 30));
  limits.time = std::chrono::seconds(line.number_within("timeout", 30, 1, 3600));
  limits.connections = static_cast<std::size_t>(line.number_within("connections", 256, 1, 10'000));
  limits.waiting = static_cast<std::size_t>(line.number_within("waiting", 64, 0, 10'000));
  return limits;
}

bool is_this_machine(const std::string& host) {
  return host == "127.0.0.1" || host == "::1" || host == "localhost";
}

// An empty one would be every address of this machine: a script's variable that was not set must
// not open the server to a network.
std::string host_of(const CommandLine& line) {
  if (!line.has("host")) return "127.0.0.1";
  std::string host = line.text("host");
  if (!host.empty()) return host;
  throw Error(
      ErrorKind::usage,
      "--host is empty; 127.0.0.1 is for this machine alone, 0.0.0.0 for all its addresses");
}

void say_address(const std::string& pipeline, const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  std::cerr << fmt::format("{} is served on http://{}:{}\n", pipeline,
                           is_ipv6 ? "[" + host + "]" : host, port);
  if (is_this_machine(host)) return;
  std::cerr
      << "note: anybody who reaches this address can use it; encryption and logins are the work "
         "of a proxy before it\n";
}

// An answer of megabytes is taken from the system by itself and goes back to it. Else the allocator
// would learn from the first of them to keep as much in each thread's heap.
void give_back_large_blocks() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

}  // namespace

int run_serve(const Words& words) {
  CommandLine line("serve PIPELINE [options]",
                   "Annotates texts that come by HTTP: POST /annotate, GET /health, GET /metrics.",
                   "weft serve out/model-best --port 8000");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.option("host", "ADDRESS",
              "the address to listen to; 127.0.0.1, this machine alone, without");
  line.option("port", "N", "the port; 8000 without, 0 takes one that is free and says which");
  line.option("max-bytes", "N", "largest body of a request; 1048576 without");
  line.option("timeout", "SECONDS", "for a request, from its first byte to the answer; 30 without");
  line.option("connections", "N", "open at a time; 256 without");
  line.option("waiting", "N", "requests that wait for a thread; 64 without, others get 503");
  line.accept_precision();
  accept_component_choice(line);
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  const ServeLimits limits = limits_of(line);
  const int port = line.number_within("port", 8000, 0, 65'535);
  const std::string host = host_of(line);
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_chosen(line, catalogue);
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  follow_precision(line, *nlp);
  nlp->tokenizer();  // made now, not by the first request
  nlp->check_initialized();
  give_back_large_blocks();
  TextService service(nlp, choose_threads(line.number("threads", 0)), limits);
  HttpServer server(
      {.annotate = [&](const std::string& body,
                       auto deadline) { return service.annotate(body, deadline); },
       .health = [&] { return service.health(); },
       .metrics = [&] { return service.metrics(); },
       .answered = [&](int status, double seconds) { service.answered(status, seconds); }},
      limits);
  const int bound = server.bind(host, port);
  const Interrupt interrupt;
  say_address(line.text("PIPELINE"), host, bound);
  server.run([&] { return interrupt.signal() != 0; });
  std::cerr << fmt::format("stopped by {}\n", name_of_signal(interrupt.signal()));
  return 0;
}

}  // namespace weft::tools
