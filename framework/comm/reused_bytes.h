// Memory of messages that are sent in every step. It is kept between steps: fresh memory would cost
// a page fault for each page of each message, and zeros that are overwritten at once.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace weft {

class ReusedBytes {
 public:
  // Room for `count` bytes, whose contents are undefined: those of before may be gone.
  std::byte* hold(std::size_t count) {
    if (count > capacity_) {
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(count);
      capacity_ = count;
    }
    count_ = count;
    return bytes_.get();
  }
  std::byte* data() { return bytes_.get(); }
  std::size_t size() const { return count_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.get()), count_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_ = 0, count_ = 0;
};

}  // namespace weft
