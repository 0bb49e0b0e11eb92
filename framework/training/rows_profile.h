// The time of rows that change one by one, told to the profile as that of one op: to tell of each
// would take as long as a row does.
#pragma once

#include <new>
#include <string_view>

#include "framework/ops/op_profile.h"

namespace weft {

class RowsProfile {
 public:
  RowsProfile(std::string_view op, double bytes)
      : profile_(OpProfile::current()), op_(op), bytes_(bytes) {
    if (profile_ != nullptr) start_ = OpProfile::Clock::now();
  }
  ~RowsProfile() {
    if (profile_ == nullptr) return;
    const auto time = OpProfile::Clock::now() - start_;
    try {
      profile_->add("", op_, time, 0.0, bytes_);
    } catch (const std::bad_alloc&) {
      // The rows have made their steps: the profile lacks them.
    }
  }
  RowsProfile(const RowsProfile&) = delete;
  RowsProfile& operator=(const RowsProfile&) = delete;

 private:
  OpProfile* profile_;
  std::string_view op_;
  double bytes_;
  OpProfile::Clock::time_point start_;
};

}  // namespace weft
