// The sizes that a pass asks of a batcher's schedule, one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "framework/training/finite_value.h"
#include "framework/training/schedule.h"
#include "registry/base/error.h"

namespace weft {

// A schedule goes on over the passes; a list begins anew in each, as in spaCy. `taken` counts the
// sizes of all passes (see Batcher).
class BatchSizes {
 public:
  BatchSizes(Schedule size, std::int64_t& taken, std::string_view name)
      : size_(std::move(size)), taken_(taken), first_(size_.is_list() ? taken : 0), name_(name) {}

  // Throws Error(config), with `name`, for what is no number.
  double next() {
    ScheduleValue size = finite_value(size_, taken_++ - first_);
    if (size.fault.empty()) return size.value;
    throw Error(ErrorKind::config, std::string(name_) + ": " + size.fault);
  }
  // The step of the schedule that the last size came from.
  std::int64_t last() const { return taken_ - 1; }

 private:
  Schedule size_;
  std::int64_t& taken_;
  std::int64_t first_;
  std::string_view name_;
};

}  // namespace weft
