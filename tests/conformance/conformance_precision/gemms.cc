// Products of 16-bit matrices, and weights with and without f32 masters.
#include <algorithm>

#include "framework/precision/convert.h"
#include "framework/tensor/rounding.h"
#include "tests/conformance/conformance_precision/replay.h"
#include "tests/framework/precision/reference_gemm.h"

namespace replay {
namespace {

using weft::NumberFormat;

void check_gemm(const json& record, Tally& tally) {
  const NumberFormat format = format_named(record.at("format"));
  const weft::GemmShape shape{record.at("M"), record.at("K"), record.at("N")};
  std::vector<float> sums(shape.rows * shape.columns);
  std::vector<std::uint16_t> out(sums.size());
  reference_gemm(format, shape, bits16(record.at("A")), bits16(record.at("B")), sums);
  narrow(format, sums, out);
  Faults faults;
  const auto expected_out = bits16(record.at("out16_from_f32_sequential"));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::string at = fmt::format("[{}]", i);
    faults.expect(std::bit_cast<std::uint32_t>(sums[i]), bits(record.at("acc_f32_sequential")[i]),
                  "accumulator" + at);
    faults.expect(out[i], expected_out[i], "output" + at);
    const double exact = number(record.at("exact_float64")[i]);
    const double bound = 0x1p-21 * number(record.at("sum_abs_products")[i]);
    faults.expect_near(sums[i], exact, bound, "distance from the exact sum" + at);
  }
  tally.record("gemm16 " + record.at("name").get<std::string>(), faults);
}

// Plain SGD on an f32 master with a 16-bit copy, and on a 16-bit weight alone.
class TwoWeights {
 public:
  TwoWeights(NumberFormat format, float start, const std::vector<float>& gradient, float rate)
      : format_(format),
        rate_(rate),
        gradient_(gradient),
        master_(gradient.size(), start),
        pure_(gradient.size(), start) {
    round_to(format, gradient_);
    round_to(format, pure_);
  }

  void step() {
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      master_[i] -= rate_ * gradient_[i];
      pure_[i] -= rate_ * gradient_[i];
    }
    round_to(format_, pure_);
  }

  void check(const json& row, Faults& faults) const {
    const auto model = narrowed(master_);
    const auto pure = narrowed(pure_);
    const auto model_recorded = bits16(row.at("model_bits"));
    const auto pure_recorded = bits16(row.at("pure_bits"));
    for (std::size_t i = 0; i < master_.size(); ++i) {
      const std::string at = fmt::format(" of step {}, [{}]", row.at("step").get<int>(), i);
      faults.expect(std::bit_cast<std::uint32_t>(master_[i]), bits(row.at("master_hex")[i]),
                    "master" + at);
      faults.expect(model[i], model_recorded[i], "copy" + at);
      faults.expect(pure[i], pure_recorded[i], "16-bit weight" + at);
    }
  }

 private:
  std::vector<std::uint16_t> narrowed(const std::vector<float>& values) const {
    std::vector<std::uint16_t> result(values.size());
    weft::narrow(format_, values, result);
    return result;
  }

  NumberFormat format_;
  float rate_;
  std::vector<float> gradient_;
  std::vector<float> master_;
  std::vector<float> pure_;
};

void check_masters(const json& record, Tally& tally) {
  TwoWeights weights(format_named(record.at("low")), static_cast<float>(number(record.at("w0"))),
                     floats(record.at("grad")), static_cast<float>(number(record.at("lr"))));
  Faults faults;
  int step = 0;
  for (const json& row : record.at("rows")) {
    for (; step < row.at("step").get<int>(); ++step) weights.step();
    weights.check(row, faults);
  }
  tally.record("master_weights " + record.at("name").get<std::string>(), faults);
}

}  // namespace

void replay_gemms(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "gemm16.json", "cases", tally,
                  [&](const json& record) { check_gemm(record, tally); });
  for_each_record(folder / "master_weights.json", "cases", tally,
                  [&](const json& record) { check_masters(record, tally); });
}

}  // namespace replay
