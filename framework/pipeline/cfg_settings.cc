#include "framework/pipeline/cfg_settings.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {
namespace {

[[noreturn]] void refuse(const std::string& source, std::string_view key, const Node& value,
                         const std::string& wanted) {
  throw Error(ErrorKind::data,
              fmt::format("{}: {} is {}, found {}", source, key, wanted, value.type_name()));
}

// Null if it is not there.
const Node* given(const Object& cfg, std::string_view key) {
  const Node* value = cfg.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                  bool& setting) {
  const Node* value = given(cfg, key);
  if (value == nullptr) return;
  if (!value->is_bool()) refuse(source, key, *value, "true or false");
  setting = value->as_bool();
}

void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                  std::string& setting) {
  const Node* value = given(cfg, key);
  if (value == nullptr) return;
  if (!value->is_string()) refuse(source, key, *value, "a text");
  setting = value->as_string();
}

void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                  std::optional<std::string>& setting) {
  if (given(cfg, key) != nullptr) take_setting(cfg, key, source, setting.emplace());
}

void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                  int& setting) {
  const Node* value = given(cfg, key);
  if (value == nullptr) return;
  const auto* number = std::get_if<std::int64_t>(&value->value());
  if (number == nullptr || *number < 0 || !std::in_range<int>(*number)) {
    refuse(source, key, *value, "an integer of 32 bits that is not negative");
  }
  setting = static_cast<int>(*number);
}

void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                  double& setting) {
  const Node* value = given(cfg, key);
  if (value == nullptr) return;
  const auto number = number_in(*value);
  if (!number || !std::isfinite(*number) || *number < 0.0) {
    refuse(source, key, *value, "a number that is not negative");
  }
  setting = *number;
}

void take_share(const Object& cfg, std::string_view key, const std::string& source,
                double& setting) {
  double number = setting;
  take_setting(cfg, key, source, number);
  if (number > 1.0) {
    throw Error(ErrorKind::data,
                fmt::format("{}: {} is {}; it lies between 0 and 1", source, key, number));
  }
  setting = number;
}

}  // namespace weft
