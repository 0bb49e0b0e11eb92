// The levels of the precision policy, and the names by which a config asks for them.
// Source: docs/precision.md, "Levels"; the levels are those of NVIDIA Apex AMP.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/functions/field_traits.h"

namespace weft {

enum class Level : unsigned char { O0, O1, O2, O3 };

// "O0" ... "O3".
WEFT_API std::string_view name_of(Level level);

// The meaning of the setting `level`.
struct WEFT_API LevelChoice {
  Level level = Level::O0;
  bool bf16 = false;  // in that format, whatever `dtype` says
  bool tf32 = false;  // with such GEMMs, whatever `matmul_precision` says

  LevelChoice() = default;
  // A level or a shorthand: "fp32" and "tf32" for O0, "bf16" for O1. Throws Error(config), P001,
  // for another name.
  template <std::convertible_to<std::string_view> Name>
  LevelChoice(const Name& name) : LevelChoice(named(name)) {}

 private:
  static LevelChoice named(std::string_view name);
};

template <>
struct WEFT_API FieldConversion<LevelChoice> {
  static Type accepts();
  static std::string fault(const Node& name);
  static LevelChoice from_node(const Node& name) { return name.as_string(); }
  static Node to_node(const LevelChoice& choice);
};

}  // namespace weft
