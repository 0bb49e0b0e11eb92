// Lets a number of requests work at a time, lets some wait, and sends the others away.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace weft::tools {

class Turnstile {
 public:
  Turnstile(int threads, std::size_t most_waiting) : free_(threads), most_waiting_(most_waiting) {}

  enum class Entry {
    inside,
    full,     // too many wait already
    too_late  // none became free until the deadline
  };
  Entry enter(std::chrono::steady_clock::time_point deadline);
  // Takes up to `most` more that are free just now; gives how many.
  int take_more(int most);
  void leave(int count);

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  int free_;
  std::size_t waiting_ = 0;
  std::size_t most_waiting_;
};

}  // namespace weft::tools
