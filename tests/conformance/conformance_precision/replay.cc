#include "tests/conformance/conformance_precision/replay.h"

#include <algorithm>
#include <fstream>
#include <iostream>

namespace replay {

using weft::conformance::Verdict;

bool Tally::open(const std::filesystem::path& file) {
  file_ = file.filename().string();
  return counts_.has_file(file);
}

void Tally::record(const std::string& name, const Faults& faults) {
  const auto& list = faults.list();
  const Verdict good = faults.compared() > 0 ? Verdict::passed : Verdict::lenient;
  counts_.add(file_, list.empty() ? good : Verdict::failed);
  for (const std::string& fault : list) std::cout << fmt::format("FAILED {}: {}\n", name, fault);
}

void Tally::skip(const std::string& name, const std::string& why) {
  counts_.add(file_, Verdict::skipped);
  ++skipped_[name + ": " + why];
}

int Tally::finish(const std::filesystem::path& folder) {
  for (const auto& [what, count] : skipped_) {
    std::cout << fmt::format("skipped {} of {}\n", count, what);
  }
  counts_.compare_with_list(folder);
  return counts_.finish(true);
}

void Faults::expect_all_near(const std::vector<float>& got, const json& recorded, double tolerance,
                             const std::string& what) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const double expected = number(recorded[i]);
    const double bound = tolerance * std::max(1.0, std::fabs(expected));
    expect_near(got.at(i), expected, bound, fmt::format("{}[{}]", what, i));
  }
}

double number(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string text = value;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return text == "-inf" ? -infinity : infinity;
}

std::vector<float> floats(const json& values) {
  std::vector<float> result;
  for (const json& value : values) result.push_back(static_cast<float>(number(value)));
  return result;
}

std::uint32_t bits(const json& value) {
  return static_cast<std::uint32_t>(std::stoul(value.get<std::string>(), nullptr, 16));
}

std::vector<std::uint16_t> bits16(const json& values) {
  std::vector<std::uint16_t> result;
  for (const json& value : values) result.push_back(static_cast<std::uint16_t>(bits(value)));
  return result;
}

weft::NumberFormat format_named(const std::string& name) {
  const bool is_bf16 = name == "bf16" || name == "bfloat16";
  return is_bf16 ? weft::NumberFormat::bf16 : weft::NumberFormat::f16;
}

weft::LossScalerSettings pytorch_settings(const json& params) {
  weft::LossScalerSettings settings;
  settings.init_scale = number(params.at("init_scale"));
  settings.growth_factor = number(params.at("growth_factor"));
  settings.backoff_factor = number(params.at("backoff_factor"));
  settings.growth_interval = params.at("growth_interval");
  settings.min_scale = 0.0;
  settings.max_scale = std::numeric_limits<double>::infinity();
  return settings;
}

weft::GradientStatus status_of(bool finite) {
  return finite ? weft::GradientStatus::finite : weft::GradientStatus::non_finite;
}

void for_each_record(const std::filesystem::path& file, const char* key, Tally& tally,
                     const std::function<void(const json&)>& each) {
  if (!tally.open(file)) return;
  std::ifstream in(file);
  const json content = json::parse(in);
  for (const json& record : content.at(key)) each(record);
}

}  // namespace replay
