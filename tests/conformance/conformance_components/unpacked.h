// A copy of a pipeline folder in which every `NAME.gz` is the file `NAME`.
#pragma once

#include <filesystem>

namespace weft::conformance {

class Unpacked {
 public:
  // Without such files nothing is copied.
  explicit Unpacked(std::filesystem::path folder);
  ~Unpacked();
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  bool is_copy_ = false;
};

}  // namespace weft::conformance
