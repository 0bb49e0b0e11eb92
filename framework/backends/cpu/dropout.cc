#include "framework/ops/dropout.h"

#include <algorithm>

#include "framework/backends/cpu/clones.h"

namespace weft {

namespace {

constexpr int kLanes = static_cast<int>(kMaskLanes);
constexpr int kGroup = static_cast<int>(kMaskGroup);

// Philox on 16 counters side by side; see random.h for the plain form.
struct Lanes {
  std::uint32_t word[4][kLanes];
};

inline void philox_round(Lanes& c, std::uint32_t key0, std::uint32_t key1) {
  for (int j = 0; j < kLanes; ++j) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * c.word[0][j];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c.word[2][j];
    c.word[0][j] = static_cast<std::uint32_t>(b >> 32) ^ c.word[1][j] ^ key0;
    c.word[1][j] = static_cast<std::uint32_t>(b);
    c.word[2][j] = static_cast<std::uint32_t>(a >> 32) ^ c.word[3][j] ^ key1;
    c.word[3][j] = static_cast<std::uint32_t>(a);
  }
}

inline Lanes words_of(const RandomStream& random, std::uint64_t first_block) {
  const auto start = random.counter(0);
  auto key = random.key();
  Lanes lanes;
  for (int j = 0; j < kLanes; ++j) {
    const std::uint64_t block = first_block + static_cast<std::uint64_t>(j);
    lanes.word[0][j] = static_cast<std::uint32_t>(block);
    lanes.word[1][j] = static_cast<std::uint32_t>(block >> 32);
    lanes.word[2][j] = start[2];
    lanes.word[3][j] = start[3];
  }
  for (int round = 0; round < 10; ++round) {
    philox_round(lanes, key[0], key[1]);
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return lanes;
}

WEFT_CPU_CLONES void dropout_mask(Stream&, const RandomStream& random, std::uint64_t offset,
                                  double rate, View mask) {
  const std::uint32_t threshold = mask_threshold(rate);
  const auto kept = static_cast<float>(1.0 / (1.0 - rate));
  const std::uint64_t end = offset + static_cast<std::uint64_t>(mask.size());
  float* out = mask.as<float>();
  float group[kGroup];
  for (std::uint64_t at = offset; at < end;) {
    const Lanes lanes = words_of(random, at / kMaskGroup * kMaskLanes);
    for (int w = 0; w < 4; ++w) {
      for (int j = 0; j < kLanes; ++j) {
        group[w * kLanes + j] = lanes.word[w][j] >= threshold ? kept : 0.0F;
      }
    }
    const std::uint64_t first = at % kMaskGroup;
    const std::uint64_t count = std::min(kMaskGroup - first, end - at);
    out = std::copy_n(group + first, count, out);
    at += count;
  }
}

void dropout_mask_rows(Stream& stream, const RandomStream& random, ConstView offsets, double rate,
                       View mask) {
  const std::int64_t* offset = offsets.as<std::int64_t>();
  for (std::int64_t i = 0; i < mask.rows(); ++i) {
    dropout_mask(stream, random, static_cast<std::uint64_t>(offset[i]), rate, mask.slice(i, 1));
  }
}

const KernelRegistration<DropoutMask> registered{DeviceKind::cpu, dropout_mask};
const KernelRegistration<DropoutMaskRows> rows_registered{DeviceKind::cpu, dropout_mask_rows};

}  // namespace

}  // namespace weft
