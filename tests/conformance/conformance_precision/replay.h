// Shared by the parts of conformance_precision: the tally, and reading the records' numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "framework/precision/format.h"
#include "framework/precision/loss_scaler.h"
#include "tests/conformance/counting/record_tally.h"

namespace replay {

using nlohmann::json;

class Faults;

class Tally {
 public:
  // The file that the next records are from; false, and a failure, where there is none.
  bool open(const std::filesystem::path& file);
  // One record; its faults are printed, nothing if it passed. One in which nothing was
  // compared is lenient.
  void record(const std::string& name, const Faults& faults);
  void skip(const std::string& name, const std::string& why);
  // Prints why records were skipped and "N passed, N failed, N skipped". Gives the exit code.
  int finish(const std::filesystem::path& folder);

 private:
  weft::conformance::RecordTally counts_;
  std::string file_;
  std::map<std::string, int> skipped_;  // by reason
};

// Collects what is wrong with one record, and counts what was compared.
class Faults {
 public:
  // Keeps the first few; a wrong trace is wrong in every later row.
  template <class Got, class Expected>
  void expect(const Got& got, const Expected& expected, const std::string& what) {
    ++compared_;
    if (!(got == expected)) add(fmt::format("{}: got {}, recorded {}", what, got, expected));
  }
  void expect_near(double got, double expected, double tolerance, const std::string& what) {
    ++compared_;
    const bool same = got == expected || (std::isnan(got) && std::isnan(expected));
    if (same || std::fabs(got - expected) <= tolerance) return;
    add(fmt::format("{}: got {:.9g}, recorded {:.9g}", what, got, expected));
  }
  // Each |got - recorded| at most tolerance * max(1, |recorded|).
  void expect_all_near(const std::vector<float>& got, const json& recorded, double tolerance,
                       const std::string& what);
  void add(std::string fault) {
    if (list_.size() < 3) list_.push_back(std::move(fault));
  }
  // A comparison that the caller makes himself, and `add`s to where it fails.
  void note_compared() { ++compared_; }
  const std::vector<std::string>& list() const { return list_; }
  int compared() const { return compared_; }

 private:
  int compared_ = 0;
  std::vector<std::string> list_;
};

// A number, or "inf", "-inf", "nan".
double number(const json& value);
std::vector<float> floats(const json& values);
// Hex digits without a prefix.
std::uint32_t bits(const json& value);
std::vector<std::uint16_t> bits16(const json& values);
// "fp16", "float16", "bf16", "bfloat16".
weft::NumberFormat format_named(const std::string& name);

// PyTorch's scaler: ours without bounds.
weft::LossScalerSettings pytorch_settings(const json& params);
weft::GradientStatus status_of(bool finite);

// One function per family of files. `folder` holds the records; a missing file is a failure.
void replay_rounding(const std::filesystem::path& folder, Tally& tally);
void replay_gemms(const std::filesystem::path& folder, Tally& tally);
void replay_scaler_traces(const std::filesystem::path& folder, Tally& tally);
void replay_overflows(const std::filesystem::path& folder, Tally& tally);
void replay_policy(const std::filesystem::path& folder, Tally& tally);
void replay_optimizers(const std::filesystem::path& folder, Tally& tally);
void replay_levels(const std::filesystem::path& folder, Tally& tally);

// Calls `each` with every element of the list `key` of the file.
void for_each_record(const std::filesystem::path& file, const char* key, Tally& tally,
                     const std::function<void(const json&)>& each);

}  // namespace replay
