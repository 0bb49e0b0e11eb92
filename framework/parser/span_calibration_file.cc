// The file of a calibration.
#include <cmath>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/pretty_json.h"
#include "framework/parser/span_calibration.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"
#include "registry/value/number.h"

namespace weft {

namespace {

constexpr std::int64_t kVersion = 1;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw Error(ErrorKind::data,
              fmt::format("{}: {}; `weft calibrate` writes a new one", file.string(), reason));
}

double number(const Object& object, const char* key, const std::filesystem::path& file) {
  const Node* found = object.find(key);
  const auto value = found == nullptr ? std::nullopt : number_in(*found);
  if (!value) refuse(file, fmt::format("'{}' is no number", key));
  return *value;
}

}  // namespace

void write_calibration(const SpanCalibration& calibration, const std::filesystem::path& folder) {
  Object object;
  object.set("version", kVersion);
  object.set("temperature", calibration.temperature);
  object.set("slope", calibration.slope);
  object.set("offset", calibration.offset);
  object.set("entities", calibration.entities);
  object.set("right", calibration.right);
  object.set("data", calibration.data);
  write_file(folder / kCalibrationFile, to_pretty_json(object) + '\n');
}

std::optional<SpanCalibration> read_calibration(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kCalibrationFile;
  if (!is_there(file)) return std::nullopt;
  const std::optional<Node> json = parse_json(read_file(file, kMostSettings));
  if (!json || !json->is_object()) refuse(file, "not a JSON object");
  const Object& object = json->as_object();
  if (number(object, "version", file) != kVersion) refuse(file, "of another version");
  SpanCalibration result;
  result.temperature = number(object, "temperature", file);
  result.slope = number(object, "slope", file);
  result.offset = number(object, "offset", file);
  const bool in_range = result.temperature > 0 && std::isfinite(result.temperature) &&
                        result.slope >= 0 && std::isfinite(result.slope) &&
                        std::isfinite(result.offset);
  if (!in_range) refuse(file, "temperature, slope or offset is out of range");
  for (const auto& [key, value] :
       {std::pair("entities", &result.entities), {"right", &result.right}}) {
    const Node* found = object.find(key);
    if (found == nullptr) continue;
    if (const auto* count = std::get_if<std::int64_t>(&found->value())) *value = *count;
  }
  if (const Node* data = object.find("data"); data != nullptr && data->is_string()) {
    result.data = data->as_string();
  }
  return result;
}

}  // namespace weft
