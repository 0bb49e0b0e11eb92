#include "framework/io/json_fault.h"

namespace weft {
namespace {

// The part behind the first `mark`; all of it where there is none.
std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

}  // namespace

std::string json_fault(std::string_view message, bool of_one_line) {
  constexpr std::string_view kPlace = "parse error at ";
  if (message.starts_with("[json.exception.")) message = behind(message, "] ");
  if (!message.starts_with(kPlace)) return std::string(message);
  message.remove_prefix(kPlace.size());
  const std::size_t colon = message.find(": ");
  if (colon == message.npos) return std::string(message);
  std::string_view place = message.substr(0, colon);
  std::string_view fault = message.substr(colon + 2);
  if (of_one_line) place = behind(place, ", ");
  if (fault.starts_with("syntax error")) fault = behind(fault, " - ");
  return std::string(place) + ": " + std::string(fault);
}

}  // namespace weft
