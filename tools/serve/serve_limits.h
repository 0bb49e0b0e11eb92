// Limits of `weft serve`. docs/limits.md
#pragma once

#include <chrono>
#include <cstddef>

namespace weft::tools {

struct ServeLimits {
  std::size_t body_bytes = std::size_t{1} << 20;  // of a request, decompressed
  std::chrono::milliseconds time{30'000};  // from a request's first byte to its answer's last
  std::size_t connections = 256;           // open at a time; further ones wait to be accepted
  std::size_t waiting = 64;                // requests that wait for a thread; more get 503

  static constexpr std::size_t kHeaderBytes = 64 << 10;  // of a request's first lines
  static constexpr std::size_t kTexts = 10'000;          // of a request
  static constexpr std::size_t kTokens = 100'000;        // of its texts; each takes some 2 kB
  static constexpr std::size_t kCategories = std::size_t{1} << 22;  // of its texts together
  // Of the answer to several texts, and of all answers that are not read yet.
  static constexpr std::size_t kAnswerBytes = std::size_t{256} << 20;
  static constexpr int kRequests = 1000;                    // of a connection, before it is closed
  static constexpr std::chrono::milliseconds kIdle{5'000};  // of a connection between two requests
};

}  // namespace weft::tools
