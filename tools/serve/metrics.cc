#include "tools/serve/metrics.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace weft::tools {
namespace {

void describe(std::string& text, std::string_view name, std::string_view type,
              std::string_view meaning) {
  fmt::format_to(std::back_inserter(text), "# HELP {} {}\n# TYPE {} {}\n", name, meaning, name,
                 type);
}

}  // namespace

void ServeMetrics::answered(int status, double seconds) {
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  const std::lock_guard<std::mutex> lock(mutex_);
  ++requests_[status];
  ++buckets_[static_cast<std::size_t>(bound - kBounds.begin())];
  ++count_;
  seconds_ += seconds;
}

void ServeMetrics::annotated(std::size_t texts, std::size_t tokens) {
  const std::lock_guard<std::mutex> lock(mutex_);
  texts_ += texts;
  tokens_ += tokens;
}

void ServeMetrics::change(int by) {
  const std::lock_guard<std::mutex> lock(mutex_);
  annotating_ += by;
}

std::string ServeMetrics::text() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string text;
  const auto out = std::back_inserter(text);
  describe(text, "weft_requests_total", "counter", "Requests that were answered, by status.");
  for (const auto& [status, count] : requests_) {
    fmt::format_to(out, "weft_requests_total{{status=\"{}\"}} {}\n", status, count);
  }
  describe(text, "weft_request_seconds", "histogram",
           "Time from a request's first byte to its answer.");
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    below += buckets_[i];
    fmt::format_to(out, "weft_request_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i], below);
  }
  fmt::format_to(out, "weft_request_seconds_bucket{{le=\"+Inf\"}} {}\n", count_);
  fmt::format_to(out, "weft_request_seconds_sum {}\nweft_request_seconds_count {}\n", seconds_,
                 count_);
  describe(text, "weft_texts_total", "counter", "Texts that were annotated.");
  fmt::format_to(out, "weft_texts_total {}\n", texts_);
  describe(text, "weft_tokens_total", "counter", "Tokens of these texts.");
  fmt::format_to(out, "weft_tokens_total {}\n", tokens_);
  describe(text, "weft_annotating", "gauge", "Requests that are annotated just now.");
  fmt::format_to(out, "weft_annotating {}\n", annotating_);
  return text;
}

}  // namespace weft::tools
