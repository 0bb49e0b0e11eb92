#include "registry/value/json_fault.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

namespace weft {
namespace {

// Takes every event and keeps nothing but the place of the fault.
struct FaultFinder : nlohmann::json::json_sax_t {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    read = position;
    return false;
  }

  std::size_t read = 0;  // bytes, the wrong one included
};

}  // namespace

std::optional<JsonFault> json_fault(std::string_view text) {
  FaultFinder finder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &finder)) return std::nullopt;
  JsonFault fault;
  fault.byte = std::min(finder.read == 0 ? 0 : finder.read - 1, text.size());
  const std::string_view before = text.substr(0, fault.byte);
  fault.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const auto line_start = before.rfind('\n');
  fault.column =
      static_cast<int>(line_start == std::string_view::npos ? fault.byte
                                                            : fault.byte - line_start - 1) +
      1;
  return fault;
}

}  // namespace weft
