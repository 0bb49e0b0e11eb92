#include "framework/ops/mask_source.h"

#include "framework/ops/dropout.h"
#include "framework/ops/kernel.h"

namespace weft {

void MaskSource::fill_rows(std::string_view site, std::span<const std::int64_t>, double rate,
                           View mask) {
  fill(site, 0, rate, mask);
}

void CounterMasks::fill(std::string_view site, std::int64_t offset, double rate, View mask) {
  Stream host;
  const RandomStream random(seed_, step_, site_hash(site));
  kernel_of<DropoutMask>(DeviceKind::cpu)(host, random, static_cast<std::uint64_t>(offset), rate,
                                          mask);
}

}  // namespace weft
