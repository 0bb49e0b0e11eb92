#include "framework/precision/level.h"

#include <array>
#include <optional>

#include "framework/precision/notice.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"O0", "O1", "O2", "O3"};

std::optional<LevelChoice> find_level(std::string_view name) {
  LevelChoice choice;
  if (name == "bf16") choice.level = Level::O1;
  choice.bf16 = name == "bf16";
  choice.tf32 = name == "tf32";
  if (name == "fp32" || choice.tf32 || choice.bf16) return choice;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name != kNames[i]) continue;
    choice.level = static_cast<Level>(i);
    return choice;
  }
  return {};
}

}  // namespace

std::string_view name_of(Level level) {
  return kNames[static_cast<std::size_t>(level)];
}

LevelChoice LevelChoice::named(std::string_view name) {
  if (const auto choice = find_level(name)) return *choice;
  throw Error(ErrorKind::config, problems_of({notices::unknown_level(name)}, "training.precision"));
}

// A number is an O typed as a zero.
Type FieldConversion<LevelChoice>::accepts() {
  return Type::any_of({Type::string(), Type::integer(64)});
}

std::string FieldConversion<LevelChoice>::fault(const Node& name) {
  const std::string text = name.is_string() ? name.as_string() : std::to_string(name.as_integer());
  return find_level(text) ? "" : notices::unknown_level(text).str();
}

Node FieldConversion<LevelChoice>::to_node(const LevelChoice& choice) {
  if (choice.bf16) return "bf16";
  return choice.tf32 ? "tf32" : std::string(name_of(choice.level));
}

}  // namespace weft
