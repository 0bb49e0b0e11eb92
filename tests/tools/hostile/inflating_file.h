// Writes zlib files that inflate to far more than they hold, as quickly as they are small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace weft::testing_tools {

class InflatingFile {
 public:
  void add(std::string_view bytes) { add_times(bytes, 1); }
  // The same bytes so many times. Only one block of them is deflated; the file repeats it.
  void add_times(std::string_view bytes, std::uint64_t times);
  // The whole stream, with the right checksum.
  std::string bytes() const;

 private:
  void add_block(const std::string& block, std::uint64_t times);

  std::string deflated_;
  std::uint32_t checksum_ = 1;
};

}  // namespace weft::testing_tools
