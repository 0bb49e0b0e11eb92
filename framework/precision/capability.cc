#include "framework/precision/capability.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

using Capability = std::pair<int, int>;

// Compute capabilities as NVIDIA's CUDA C++ Programming Guide lists them: arithmetic in fp16,
// tensor cores for fp16, tensor cores for bf16 and tf32.
constexpr Capability fp16_arithmetic = {5, 3};
constexpr Capability fp16_matrix_units = {7, 0};
constexpr Capability bf16_and_tf32 = {8, 0};
constexpr double worthwhile_share = 0.30;

// Below this an fp16 constant may round to zero, above the other one it is infinite.
constexpr double smallest_fp16 = 0x1p-24;
constexpr double largest_fp16 = 65504.0;

std::string shown(Capability capability) {
  return fmt::format("{}.{}", capability.first, capability.second);
}

Notices check_gpu(const PrecisionPolicy& policy, NumberFormat format,
                  const DeviceProperties& device) {
  const Capability has = {device.major, device.minor};
  const Capability needs = format == NumberFormat::f16 ? fp16_arithmetic : bf16_and_tf32;
  if (has < needs) {
    return {notices::not_supported(device.name, shown(has), name_of(format), name_of(policy.level),
                                   shown(needs))};
  }
  const bool has_units = has >= fp16_matrix_units && device.has_fp16_matrix_units;
  if (format == NumberFormat::f16 && !has_units) {
    return {notices::no_matrix_units(device.name, name_of(policy.level))};
  }
  return {};
}

int percent(double part, double whole) {
  return static_cast<int>(std::lround(100.0 * part / whole));
}

}  // namespace

Notices check_device(const PrecisionPolicy& policy, const DeviceProperties& device) {
  Notices found;
  const auto check = [&](NumberFormat format) {
    const Notices more = device.kind == DeviceProperties::Kind::cpu
                             ? Notices{notices::emulated_on_cpu(name_of(format))}
                             : check_gpu(policy, format, device);
    found.insert(found.end(), more.begin(), more.end());
  };
  if (policy.cast_mode() != CastMode::none) check(policy.low);
  if (policy.tf32) check(NumberFormat::tf32);
  return found;
}

Notices check_constant(const PrecisionPolicy& policy, std::string_view key, double value) {
  if (!policy.stores_fp16() || value == 0.0) return {};
  if (std::fabs(value) < smallest_fp16) return {notices::below_fp16(key, value)};
  if (std::fabs(value) > largest_fp16) return {notices::beyond_fp16(key, value)};
  return {};
}

Notices check_gain(const PrecisionPolicy& policy, std::span<const OpTime> profile) {
  if (policy.cast_mode() == CastMode::none || profile.empty()) return {};
  double whole = 0.0;
  double gemms = 0.0;
  for (const OpTime& time : profile) {
    whole += time.seconds;
    if (time.is_gemm) gemms += time.seconds;
  }
  if (whole <= 0.0 || gemms / whole >= worthwhile_share) return {};
  const auto largest =
      std::max_element(profile.begin(), profile.end(),
                       [](const OpTime& a, const OpTime& b) { return a.seconds < b.seconds; });
  return {notices::little_to_gain(percent(gemms, whole), name_of(policy.level), largest->op,
                                  percent(largest->seconds, whole))};
}

}  // namespace weft
