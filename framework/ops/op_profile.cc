#include "framework/ops/op_profile.h"

#include <algorithm>
#include <atomic>

#include "framework/ops/work_record.h"

namespace weft {
namespace {

std::atomic<OpProfile*> current_profile = nullptr;

}  // namespace

void OpProfile::add(std::string_view layer, std::string_view op, Clock::duration time, double flops,
                    double bytes) {
  WorkRecord::add_op(layer, op, time);
  const std::lock_guard lock(mutex_);
  OpShare& share = shares_[{std::string(layer), std::string(op)}];
  ++share.calls;
  share.seconds += std::chrono::duration<double>(time).count();
  share.flops += flops;
  share.bytes += bytes;
}

std::vector<OpShare> OpProfile::shares() const {
  const std::lock_guard lock(mutex_);
  std::vector<OpShare> all;
  for (const auto& [place, share] : shares_) {
    all.push_back(share);
    all.back().layer = place.first;
    all.back().op = place.second;
  }
  std::stable_sort(all.begin(), all.end(), [](const OpShare& left, const OpShare& right) {
    return left.seconds > right.seconds;
  });
  return all;
}

OpProfile* OpProfile::current() {
  return current_profile.load();
}

ProfileScope::ProfileScope(OpProfile& profile) {
  current_profile = &profile;
}

ProfileScope::~ProfileScope() {
  current_profile = nullptr;
}

}  // namespace weft
