#include "framework/precision/convert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/rounding.h"
#include "registry/base/error.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace weft {
namespace {

constexpr NumberFormat low_formats[] = {NumberFormat::f16, NumberFormat::bf16};

std::vector<ConversionPath> paths_here() {
  std::vector<ConversionPath> paths;
  for (const auto path : {ConversionPath::portable, ConversionPath::vector8,
                          ConversionPath::vector16, ConversionPath::vector16_bf16}) {
    if (path <= best_conversion_path()) paths.push_back(path);
  }
  return paths;
}

// All exponents and signs, with fractions at and around the ties of both formats, and noise.
std::vector<float> awkward_values() {
  std::vector<float> values;
  std::mt19937 random(7);
  for (std::uint32_t upper = 0; upper < 0x200; ++upper) {
    for (const std::uint32_t fraction : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x3000U, 0x7fffU,
                                         0x8000U, 0x8001U, 0x18000U, 0x400000U, 0x7fffffU}) {
      values.push_back(std::bit_cast<float>(upper << 23 | fraction));
    }
    for (int i = 0; i < 64; ++i) {
      values.push_back(
          std::bit_cast<float>(upper << 23 | static_cast<std::uint32_t>(random() & 0x7fffff)));
    }
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

std::vector<std::uint16_t> bits_by_definition(NumberFormat format, std::span<const float> values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    bits.push_back(format == NumberFormat::f16 ? f16_from_f32(value) : bf16_from_f32(value));
  }
  return bits;
}

TEST(Convert, EveryPathNarrowsAsTheDefinitionDoes) {
  const std::vector<float> values = awkward_values();
  for (const NumberFormat format : low_formats) {
    for (const ConversionPath path : paths_here()) {
      std::vector<std::uint16_t> bits(values.size());
      narrow_by(path, format, values, bits);
      EXPECT_EQ(bits, bits_by_definition(format, values))
          << name_of(format) << " path " << static_cast<int>(path);
    }
  }
}

TEST(Convert, EveryPathWidensEveryCodeAsTheDefinitionDoes) {
  std::vector<std::uint16_t> codes(0x10000);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  for (const NumberFormat format : low_formats) {
    for (const ConversionPath path : paths_here()) {
      std::vector<float> values(codes.size());
      widen_by(path, format, codes, values);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const float one =
            format == NumberFormat::f16 ? f32_from_f16(codes[i]) : f32_from_bf16(codes[i]);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(one))
            << name_of(format) << " code " << i << " path " << static_cast<int>(path);
      }
    }
  }
}

TEST(Convert, LengthsThatFillNoVectorAreDoneWhole) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::vector<float> values(size, 1.5F);
    for (const ConversionPath path : paths_here()) {
      std::vector<std::uint16_t> bits(size + 1, 0xdead);
      narrow_by(path, NumberFormat::bf16, values, std::span(bits).first(size));
      EXPECT_EQ(std::count(bits.begin(), bits.end(), 0x3fc0), static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(bits.back(), 0xdead);
    }
  }
}

#if defined(__SSE2__)
// Training threads flush denormals; the 16-bit formats must not notice.
TEST(Convert, FlushingDenormalsChangesNothing) {
  const std::vector<float> values = awkward_values();
  const unsigned mode = _mm_getcsr();
  for (const NumberFormat format : low_formats) {
    const std::vector<std::uint16_t> expected = bits_by_definition(format, values);
    for (const ConversionPath path : paths_here()) {
      std::vector<std::uint16_t> bits(values.size());
      std::vector<float> back(values.size());
      std::vector<float> rounded = values;
      _mm_setcsr(mode | 0x8040);
      narrow_by(path, format, values, bits);
      widen_by(path, format, bits, back);
      std::vector<std::uint16_t> again(values.size());
      narrow_by(path, format, back, again);
      round_to_by(path, format, rounded);
      std::vector<std::uint16_t> of_rounded(values.size());
      narrow_by(path, format, rounded, of_rounded);
      _mm_setcsr(mode);
      EXPECT_EQ(bits, expected) << name_of(format) << " path " << static_cast<int>(path);
      EXPECT_EQ(again, expected) << name_of(format) << " path " << static_cast<int>(path);
      EXPECT_EQ(of_rounded, expected) << name_of(format) << " path " << static_cast<int>(path);
    }
  }
}
#endif

TEST(Convert, RoundToIsTheWayThereAndBack) {
  std::vector<float> values(1300, 1.0F + 0x1p-9F);
  round_to(NumberFormat::f32, values);
  EXPECT_EQ(values.front(), 1.0F + 0x1p-9F);
  round_to(NumberFormat::f16, values);
  EXPECT_EQ(values.back(), 1.0F + 0x1p-9F);
  round_to(NumberFormat::bf16, values);
  EXPECT_EQ(values, std::vector<float>(1300, 1.0F));
}

TEST(Convert, EveryPathRoundsInPlaceAsTheDefinitionDoes) {
  const std::vector<float> values = awkward_values();
  for (const NumberFormat format : low_formats) {
    std::vector<float> expected(values.size());
    widen_by(ConversionPath::portable, format, bits_by_definition(format, values), expected);
    for (const ConversionPath path : paths_here()) {
      std::vector<float> rounded = values;
      rounded.resize(values.size() - 3);  // fills no vector
      round_to_by(path, format, rounded);
      for (std::size_t i = 0; i < rounded.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(rounded[i]),
                  std::bit_cast<std::uint32_t>(expected[i]))
            << name_of(format) << " path " << static_cast<int>(path) << " " << values[i];
      }
    }
  }
}

TEST(Convert, UnequalSizesAndWideFormatsAreRefused) {
  std::vector<float> values(3);
  std::vector<std::uint16_t> bits(2);
  EXPECT_THROW(narrow(NumberFormat::f16, values, bits), Error);
  bits.resize(3);
  EXPECT_THROW(narrow(NumberFormat::tf32, values, bits), Error);
  EXPECT_THROW(widen(NumberFormat::f32, bits, values), Error);
}

// Layers leave the second one out.
TEST(RoundFrom, RoundsOnceToEachFormat) {
  for (const NumberFormat format : low_formats) {
    std::vector<float> once = awkward_values();
    EXPECT_EQ(round_from(NumberFormat::f32, format, once), format);
    std::vector<float> expected = awkward_values(), twice = once;
    round_to(format, expected);
    round_to(format, twice);
    for (std::size_t i = 0; i < once.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(once[i]), std::bit_cast<std::uint32_t>(expected[i]));
      EXPECT_EQ(std::bit_cast<std::uint32_t>(once[i]), std::bit_cast<std::uint32_t>(twice[i]));
    }
  }
}

TEST(RoundFrom, LeavesWhatIsOfTheFormatOrOfNone) {
  std::vector<float> values = {1.0F / 3.0F};
  const std::vector<float> before = values;
  EXPECT_EQ(round_from(NumberFormat::bf16, NumberFormat::bf16, values), NumberFormat::bf16);
  EXPECT_EQ(round_from(NumberFormat::bf16, NumberFormat::f32, values), NumberFormat::bf16);
  EXPECT_EQ(values, before);
  EXPECT_EQ(round_from(NumberFormat::bf16, NumberFormat::f16, values), NumberFormat::f16);
  EXPECT_NE(values, before);
}

}  // namespace
}  // namespace weft
