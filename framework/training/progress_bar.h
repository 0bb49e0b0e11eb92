// A line on the terminal that shows how far the work has come. Writes nothing where there is none.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "registry/base/export.h"

namespace weft {

class WEFT_API ProgressBar {
 public:
  // `total` 0: unknown, only counts.
  ProgressBar(std::ostream& terminal, std::string title, std::int64_t done, std::int64_t total);
  ~ProgressBar();  // clears the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void advance();

 private:
  void draw();

  std::ostream& terminal_;
  std::string title_;
  std::int64_t done_;
  std::int64_t total_;
  std::int64_t first_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace weft
