// Annotates the texts of requests; knows nothing of HTTP's connections.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "framework/pipeline/language.h"
#include "tools/serve/answer_memory.h"
#include "tools/serve/metrics.h"
#include "tools/serve/reply.h"
#include "tools/serve/serve_limits.h"
#include "tools/serve/turnstile.h"

namespace weft::tools {

class TextService {
 public:
  TextService(std::shared_ptr<const Language> nlp, int threads, const ServeLimits& limits);

  // Safe to be called by many threads at once; no more than `threads` of them work at a time.
  // A thread is waited for until `deadline`. Bodies that make no sense, or too much of it, get an
  // answer that says so.
  HttpReply annotate(const std::string& body, std::chrono::steady_clock::time_point deadline);
  HttpReply health() const;
  HttpReply metrics() const;
  void answered(int status, double seconds) { metrics_.answered(status, seconds); }

 private:
  // Behind the turnstile, which it leaves.
  HttpReply annotate_now(const std::string& body);

  std::shared_ptr<const Language> nlp_;
  int threads_;
  ServeLimits limits_;
  Turnstile turnstile_;
  AnswerMemory answers_{ServeLimits::kAnswerBytes};
  ServeMetrics metrics_;
};

}  // namespace weft::tools
