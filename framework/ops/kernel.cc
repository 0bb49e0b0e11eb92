#include "framework/ops/kernel.h"

#include <map>
#include <mutex>
#include <string>

#include "registry/base/error.h"

namespace weft {
namespace {

struct Table {
  std::mutex mutex;
  std::map<std::string_view, KernelSlot> slots;
};

// Filled by static objects of several libraries, hence made on first use.
Table& table() {
  static Table& instance = *new Table;
  return instance;
}

}  // namespace

KernelSlot& kernel_slot(const OpTraits& op) {
  const std::lock_guard lock(table().mutex);
  return table().slots.try_emplace(op.name, KernelSlot{op, {}}).first->second;
}

std::vector<const KernelSlot*> kernel_slots() {
  const std::lock_guard lock(table().mutex);
  std::vector<const KernelSlot*> found;
  for (const auto& [_, slot] : table().slots) found.push_back(&slot);
  return found;
}

void throw_missing_kernel(std::string_view op, DeviceKind device) {
  const char* where = device == DeviceKind::cpu ? "the CPU" : "CUDA devices";
  throw Error(ErrorKind::device, "the op " + std::string(op) + " has no kernel for " + where);
}

}  // namespace weft
