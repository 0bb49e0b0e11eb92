// A line that tells of a wait, should it take longer than people expect.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

#include "registry/base/export.h"

namespace weft {

class WEFT_API LateNotice {
 public:
  // `text` goes to `err` if this object still lives `after` that time. Nothing else writes there
  // meanwhile. A null `err` tells nobody.
  LateNotice(std::ostream* err, std::string text, std::chrono::milliseconds after);
  ~LateNotice();
  LateNotice(const LateNotice&) = delete;
  LateNotice& operator=(const LateNotice&) = delete;

 private:
  void tell_later(std::ostream& err, std::chrono::steady_clock::time_point when);

  std::string text_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace weft
