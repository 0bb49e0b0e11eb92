#include "framework/training/profile_gain.h"

#include <set>

#include "framework/ops/kernel.h"
#include "framework/ops/profile_report.h"
#include "framework/precision/capability.h"

namespace weft {

Notices check_gain(const PrecisionPolicy& policy, const std::vector<OpShare>& shares) {
  std::set<std::string_view> gemms;
  for (const KernelSlot* op : kernel_slots()) {
    if (op->category == Category::low) gemms.insert(op->name);
  }
  const std::vector<OpShare> ops = by_op(shares);
  std::vector<OpTime> times;
  times.reserve(ops.size());
  for (const OpShare& share : ops) {
    times.push_back({share.op, share.seconds, gemms.contains(share.op)});
  }
  return check_gain(policy, times);
}

}  // namespace weft
