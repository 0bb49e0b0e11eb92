#include "framework/tagging/cfg_settings.h"

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

void take_setting(const Object& cfg, std::string_view key, bool& setting) {
  const Node* value = cfg.find(key);
  if (value != nullptr && value->is_bool()) setting = value->as_bool();
}

void take_setting(const Object& cfg, std::string_view key, std::string& setting) {
  const Node* value = cfg.find(key);
  if (value != nullptr && value->is_string()) setting = value->as_string();
}

void take_share(const Object& cfg, std::string_view key, const std::string& source,
                double& setting) {
  const Node* value = cfg.find(key);
  if (value == nullptr) return;
  double number = setting;
  if (value->is_float()) number = value->as_float();
  if (const auto* integer = std::get_if<std::int64_t>(&value->value())) {
    number = static_cast<double>(*integer);
  }
  if (!(number >= 0.0 && number <= 1.0)) {
    throw Error(ErrorKind::data,
                fmt::format("{}: {} is {}; it lies between 0 and 1", source, key, number));
  }
  setting = number;
}

}  // namespace weft
