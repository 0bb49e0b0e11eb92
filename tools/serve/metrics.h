// Counters of `weft serve`, in the text form that Prometheus reads.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace weft::tools {

class ServeMetrics {
 public:
  void answered(int status, double seconds);
  void annotated(std::size_t texts, std::size_t tokens);
  void started() { change(1); }
  void ended() { change(-1); }

  std::string text() const;

 private:
  // Upper bounds in seconds; one more bucket has the rest.
  static constexpr std::array<double, 12> kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                     0.1,   0.25,   0.5,   1,    2.5,   10};
  void change(int by);

  mutable std::mutex mutex_;
  std::map<int, std::uint64_t> requests_;  // by status
  std::array<std::uint64_t, kBounds.size() + 1> buckets_ = {};
  double seconds_ = 0;
  std::uint64_t count_ = 0, texts_ = 0, tokens_ = 0;
  int annotating_ = 0;
};

}  // namespace weft::tools
