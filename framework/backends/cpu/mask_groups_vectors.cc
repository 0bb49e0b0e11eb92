// The draws of random masks by vectors: 16 counters of Philox side by side, those with an even
// number and those with an odd one apart, so that their words only have to be interleaved at the
// end.
#include "framework/backends/cpu/base/avx512_intrinsics.h"
#include "framework/backends/cpu/mask_groups.h"
#include "framework/ops/dropout.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512

namespace {

using namespace philox_words;

// Eight counters, each word in the lower half of 64 bits: as the factors of multiplications are
// taken from there, and the halves of results are needed there or can be moved there, what the
// upper halves hold never matters and nothing has to be put together until the end.
struct WideWords {
  __m512i word[4];
};

[[gnu::target("avx512f")]] inline __m512i upper_half(__m512i x) {
  return _mm512_shuffle_epi32(x, _MM_PERM_DDBB);
}

[[gnu::target("avx512f")]] inline __m512i exclusive_or(__m512i a, __m512i b, __m512i c) {
  constexpr int kParity = 0x96;
  return _mm512_ternarylogic_epi32(a, b, c, kParity);
}

[[gnu::target("avx512f")]] inline void philox_round(WideWords& c, __m512i key0, __m512i key1) {
  const __m512i a = _mm512_mul_epu32(c.word[0], _mm512_set1_epi64(kFactor0));
  const __m512i b = _mm512_mul_epu32(c.word[2], _mm512_set1_epi64(kFactor1));
  c.word[0] = exclusive_or(upper_half(b), c.word[1], key0);
  c.word[1] = b;
  c.word[2] = exclusive_or(upper_half(a), c.word[3], key1);
  c.word[3] = a;
}

[[gnu::target("avx512f")]] inline __m512i broadcast(std::uint32_t word) {
  return _mm512_set1_epi32(static_cast<int>(word));
}

// The even counters of a group and the odd ones, so that their words only have to be interleaved.
[[gnu::target("avx512f")]] void fill_widely(const RandomStream& random, std::uint64_t group,
                                            std::uint64_t count, MaskDraw draw, float* out) {
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

// The same of AVX2, with half as many counters.
struct NarrowWords {
  __m256i word[4];
};

[[gnu::target("avx2")]] inline __m256i upper_half(__m256i x) {
  return _mm256_shuffle_epi32(x, _MM_SHUFFLE(3, 3, 1, 1));
}

[[gnu::target("avx2")]] inline __m256i exclusive_or(__m256i a, __m256i b, __m256i c) {
  return _mm256_xor_si256(a, _mm256_xor_si256(b, c));
}

[[gnu::target("avx2")]] inline void philox_round(NarrowWords& c, __m256i key0, __m256i key1) {
  const __m256i a = _mm256_mul_epu32(c.word[0], _mm256_set1_epi64x(kFactor0));
  const __m256i b = _mm256_mul_epu32(c.word[2], _mm256_set1_epi64x(kFactor1));
  c.word[0] = exclusive_or(upper_half(b), c.word[1], key0);
  c.word[1] = b;
  c.word[2] = exclusive_or(upper_half(a), c.word[3], key1);
  c.word[3] = a;
}

[[gnu::target("avx2")]] inline __m256i broadcast_narrow(std::uint32_t word) {
  return _mm256_set1_epi32(static_cast<int>(word));
}

// Eight counters from `block` on: `to` takes eight elements of each of their four words.
[[gnu::target("avx2")]] inline void draw_eight(const std::array<std::uint32_t, 4>& start,
                                               const std::array<std::uint32_t, 2>& key,
                                               std::uint64_t block, MaskDraw draw, float* to) {
  const __m256i upper = broadcast_narrow(static_cast<std::uint32_t>(block >> 32));
  const __m256i first = _mm256_set1_epi64x(static_cast<long long>(block));
  const __m256i c0 = _mm256_add_epi64(first, _mm256_setr_epi64x(0, 2, 4, 6));
  const __m256i c1 = _mm256_add_epi64(c0, _mm256_set1_epi64x(1));
  NarrowWords even = {{c0, upper, broadcast_narrow(start[2]), broadcast_narrow(start[3])}};
  NarrowWords odd = {{c1, upper, broadcast_narrow(start[2]), broadcast_narrow(start[3])}};
  std::uint32_t key0 = key[0], key1 = key[1];
  for (int round = 0; round < kRounds; ++round, key0 += kStep0, key1 += kStep1) {
    philox_round(even, broadcast_narrow(key0), broadcast_narrow(key1));
    philox_round(odd, broadcast_narrow(key0), broadcast_narrow(key1));
  }
  const __m256i threshold = broadcast_narrow(draw.threshold);
  const __m256 kept = _mm256_set1_ps(draw.keep_scale);
  for (int w = 0; w < 4; ++w, to += kMaskLanes) {
    const __m256i odd_up = _mm256_shuffle_epi32(odd.word[w], _MM_SHUFFLE(2, 2, 0, 0));
    const __m256i words = _mm256_blend_epi32(even.word[w], odd_up, 0xAA);
    // There is no comparison of unsigned numbers.
    const __m256i keeps = _mm256_cmpeq_epi32(_mm256_max_epu32(words, threshold), words);
    _mm256_storeu_ps(to, _mm256_and_ps(_mm256_castsi256_ps(keeps), kept));
  }
}

[[gnu::target("avx2")]] void fill_narrowly(const RandomStream& random, std::uint64_t group,
                                           std::uint64_t count, MaskDraw draw, float* out) {
  const auto start = random.counter(0);
  const auto key = random.key();
  for (std::uint64_t i = 0; i < count; ++i, out += kMaskGroup) {
    const std::uint64_t block = (group + i) * kMaskLanes;
    draw_eight(start, key, block, draw, out);
    draw_eight(start, key, block + kMaskLanes / 2, draw, out + kMaskLanes / 2);
  }
}

}  // namespace

bool fill_mask_groups_by_vectors(const RandomStream& random, std::uint64_t group,
                                 std::uint64_t count, MaskDraw draw, float* out) {
  static const bool is_wide = __builtin_cpu_supports("avx512f");
  static const bool is_narrow = __builtin_cpu_supports("avx2");
  if (is_wide) {
    fill_widely(random, group, count, draw, out);
  } else if (is_narrow) {
    fill_narrowly(random, group, count, draw, out);
  }
  return is_wide || is_narrow;
}

#else

bool fill_mask_groups_by_vectors(const RandomStream&, std::uint64_t, std::uint64_t, MaskDraw,
                                 float*) {
  return false;
}

#endif

}  // namespace weft::cpu
