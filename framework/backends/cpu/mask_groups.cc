#include "framework/backends/cpu/mask_groups.h"

#include "framework/backends/cpu/base/avx512_intrinsics.h"
#include "framework/backends/cpu/base/clones.h"
#include "framework/ops/dropout.h"

namespace weft::cpu {

namespace {

constexpr int kLanes = static_cast<int>(kMaskLanes);
constexpr int kRounds = 10;
constexpr std::uint32_t kFactor0 = 0xD2511F53, kFactor1 = 0xCD9E8D57;  // see random.h
constexpr std::uint32_t kStep0 = 0x9E3779B9, kStep1 = 0xBB67AE85;

// Philox on 16 counters side by side; see random.h for the plain form.
struct Lanes {
  std::uint32_t word[4][kLanes];
};

// Philox 4x32-10 of Salmon et al. (2011), "Parallel random numbers: as easy as 1, 2, 3": a
// bijection of counters, so that any element of a mask is computed from its number alone, in any
// order and on any device.
inline void philox_round(Lanes& c, std::uint32_t key0, std::uint32_t key1) {
  for (int j = 0; j < kLanes; ++j) {
    const std::uint64_t a = std::uint64_t{kFactor0} * c.word[0][j];
    const std::uint64_t b = std::uint64_t{kFactor1} * c.word[2][j];
    c.word[0][j] = static_cast<std::uint32_t>(b >> 32) ^ c.word[1][j] ^ key0;
    c.word[1][j] = static_cast<std::uint32_t>(b);
    c.word[2][j] = static_cast<std::uint32_t>(a >> 32) ^ c.word[3][j] ^ key1;
    c.word[3][j] = static_cast<std::uint32_t>(a);
  }
}

// Sixteen counters that follow each other, from a multiple of 16 on. The upper words of the counter
// name the stream, the lower two count.
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
  for (int round = 0; round < kRounds; ++round) {
    philox_round(lanes, key[0], key[1]);
    key = {key[0] + kStep0, key[1] + kStep1};
  }
  return lanes;
}

#ifdef WEFT_HAS_AVX512
#define WEFT_WIDE [[gnu::target("avx512f")]]

// Eight counters, each word in the lower half of 64 bits: as the factors of multiplications are
// taken from there, and the halves of results are needed there or can be moved there, what the
// upper halves hold never matters and nothing has to be put together until the end.
struct WideWords {
  __m512i word[4];
};

WEFT_WIDE inline __m512i upper_half(__m512i x) {
  return _mm512_shuffle_epi32(x, _MM_PERM_DDBB);
}

WEFT_WIDE inline __m512i exclusive_or(__m512i a, __m512i b, __m512i c) {
  constexpr int kParity = 0x96;
  return _mm512_ternarylogic_epi32(a, b, c, kParity);
}

WEFT_WIDE inline void philox_round(WideWords& c, __m512i key0, __m512i key1) {
  const __m512i a = _mm512_mul_epu32(c.word[0], _mm512_set1_epi64(kFactor0));
  const __m512i b = _mm512_mul_epu32(c.word[2], _mm512_set1_epi64(kFactor1));
  c.word[0] = exclusive_or(upper_half(b), c.word[1], key0);
  c.word[1] = b;
  c.word[2] = exclusive_or(upper_half(a), c.word[3], key1);
  c.word[3] = a;
}

WEFT_WIDE inline __m512i broadcast(std::uint32_t word) {
  return _mm512_set1_epi32(static_cast<int>(word));
}

// The even counters of a group and the odd ones, so that their words only have to be interleaved.
WEFT_WIDE void fill_widely(const RandomStream& random, std::uint64_t group, std::uint64_t count,
                           MaskDraw draw, float* out) {
  const auto start = random.counter(0);
  const auto key = random.key();
  const __m512i numbers = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i threshold = broadcast(draw.threshold);
  const __m512 kept = _mm512_set1_ps(draw.keep_scale);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t block = (group + i) * kMaskLanes;
    // Adding less than 16 to a multiple of 16 never carries into the upper word: it is the same for
    // all.
    const __m512i upper = broadcast(static_cast<std::uint32_t>(block >> 32));
    const __m512i first = _mm512_set1_epi64(static_cast<long long>(block));
    const __m512i c0 = _mm512_add_epi64(first, numbers);
    const __m512i c1 = _mm512_add_epi64(c0, _mm512_set1_epi64(1));
    WideWords even = {{c0, upper, broadcast(start[2]), broadcast(start[3])}};
    WideWords odd = {{c1, upper, broadcast(start[2]), broadcast(start[3])}};
    std::uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < kRounds; ++round, key0 += kStep0, key1 += kStep1) {
      philox_round(even, broadcast(key0), broadcast(key1));
      philox_round(odd, broadcast(key0), broadcast(key1));
    }
    for (int w = 0; w < 4; ++w, out += kMaskLanes) {
      const __m512i words =
          _mm512_mask_shuffle_epi32(even.word[w], 0xAAAA, odd.word[w], _MM_PERM_CCAA);
      const __mmask16 keeps = _mm512_cmpge_epu32_mask(words, threshold);
      _mm512_storeu_ps(out, _mm512_maskz_mov_ps(keeps, kept));
    }
  }
}

bool is_wide() {
  static const bool is = __builtin_cpu_supports("avx512f");
  return is;
}
#endif

}  // namespace

WEFT_CPU_CLONES void fill_mask_groups_plainly(const RandomStream& random, std::uint64_t group,
                                              std::uint64_t count, MaskDraw draw, float* out) {
  // The layout of a group: word 0 of its 16 counters, then word 1, and so on. It is the same in
  // every implementation, since masks must not depend on the processor.
  for (std::uint64_t i = 0; i < count; ++i) {
    const Lanes lanes = words_of(random, (group + i) * kMaskLanes);
    for (int w = 0; w < 4; ++w, out += kMaskLanes) {
      for (int j = 0; j < kLanes; ++j) {
        out[j] = lanes.word[w][j] >= draw.threshold ? draw.keep_scale : 0.0F;
      }
    }
  }
}

void fill_mask_groups(const RandomStream& random, std::uint64_t group, std::uint64_t count,
                      MaskDraw draw, float* out) {
#ifdef WEFT_HAS_AVX512
  if (is_wide()) return fill_widely(random, group, count, draw, out);
#endif
  fill_mask_groups_plainly(random, group, count, draw, out);
}

}  // namespace weft::cpu
