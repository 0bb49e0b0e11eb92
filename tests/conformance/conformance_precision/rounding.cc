#include "framework/tensor/rounding.h"

#include <fstream>

#include "framework/precision/convert.h"
#include "registry/base/sha256.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {
namespace {

using weft::ConversionPath;
using weft::NumberFormat;

bool is_nan(NumberFormat format, std::uint16_t bits) {
  return (bits & 0x7fff) > (format == NumberFormat::f16 ? 0x7c00 : 0x7f80);
}

// One value 16 times over, so that the vector instructions take it too.
void check_row(const json& row, NumberFormat format, ConversionPath path, Faults& faults) {
  const std::vector<float> values(16, std::bit_cast<float>(bits(row.at("f32"))));
  std::vector<std::uint16_t> narrowed(16);
  std::vector<float> back(16);
  narrow_by(path, format, values, narrowed);
  widen_by(path, format, narrowed, back);
  const auto recorded = static_cast<std::uint16_t>(bits(row.at("bits")));
  const std::string where = fmt::format("path {}", static_cast<int>(path));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_nan(format, recorded)) {
      faults.expect(is_nan(format, narrowed[i]), true, where + " is NaN");
    } else {
      faults.expect(narrowed[i], recorded, where + " bits");
    }
    faults.expect_near(back[i], number(row.at("back")), 0.0, where + " back");
  }
}

std::string decoded(NumberFormat format, int& finite, int& nan) {
  std::string bytes;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<std::uint16_t>(code);
    const float value =
        format == NumberFormat::f16 ? weft::f32_from_f16(half) : weft::f32_from_bf16(half);
    if (std::isnan(value)) ++nan;
    if (!std::isfinite(value)) continue;
    ++finite;
    const auto word = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(word >> shift));
  }
  return bytes;
}

void check_decoding(const std::filesystem::path& file, NumberFormat format, Tally& tally) {
  std::ifstream in(file);
  if (!in) return;
  const json record = json::parse(in).at("decode");
  int finite = 0;
  int nan = 0;
  const std::string digest = weft::sha256(decoded(format, finite, nan));
  Faults faults;
  faults.expect(finite, record.at("finite_codes").get<int>(), "finite codes");
  faults.expect(nan, record.at("nan_codes").get<int>(), "NaN codes");
  faults.expect(digest, record.at("sha256_of_f32_le_of_finite_codes_ascending").get<std::string>(),
                "digest");
  tally.record(file.stem().string() + " decode", faults);
}

void check_format(const std::filesystem::path& file, NumberFormat format, Tally& tally) {
  for_each_record(file, "rows", tally, [&](const json& row) {
    Faults faults;
    for (int path = 0; path <= static_cast<int>(weft::best_conversion_path()); ++path) {
      check_row(row, format, static_cast<ConversionPath>(path), faults);
    }
    const std::string note = row.value("note", "");
    tally.record(fmt::format("{} {} ({})", file.stem().string(), row.at("f32").dump(), note),
                 faults);
  });
  check_decoding(file, format, tally);
}

void check_tf32(const json& row, Tally& tally) {
  using weft::Tf32Rounding;
  const auto value = std::bit_cast<float>(bits(row.at("f32")));
  Faults faults;
  const auto check = [&](Tf32Rounding rule, const char* key) {
    const auto got = std::bit_cast<std::uint32_t>(weft::tf32_from_f32(value, rule));
    faults.expect(got, bits(row.at(key)), key);
  };
  check(Tf32Rounding::truncate, "truncate");
  check(Tf32Rounding::nearest_away, "nearest_ties_away");
  check(Tf32Rounding::nearest_even, "nearest_ties_even");
  tally.record("tf32_rounding " + row.at("f32").dump(), faults);
}

}  // namespace

void replay_rounding(const std::filesystem::path& folder, Tally& tally) {
  check_format(folder / "fp16_rounding.json", NumberFormat::f16, tally);
  check_format(folder / "bf16_rounding.json", NumberFormat::bf16, tally);
  for_each_record(folder / "tf32_rounding.json", "rows", tally,
                  [&](const json& row) { check_tf32(row, tally); });
}

}  // namespace replay
