// The numbers of an evaluation as loggers name them, the same in every kind of file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/training/logger.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// At most so many values of an evaluation go to a file that is no list of JSON lines.
inline constexpr std::size_t kMostLogged = 10'000;

enum class LoggedKind : std::uint8_t {
  score,
  final_score,  // by which the best pipeline is chosen
  evaluation_speed,
  training_speed,
  progress,
  optimizer,
  loss,
};

struct LoggedValue {
  std::vector<std::string> path;  // {"ents_per_type", "GPE", "f"}
  Node value;                     // a number
  LoggedKind kind = LoggedKind::score;
  std::string loss_of = {};  // the component, of a loss

  std::string name(std::string_view separator = ".") const;  // "ents_per_type.GPE.f"
  double number() const;
};

// `score`, `epoch`, `words`, `learn_rate`, `words_per_second`, `loss_COMPONENT`, then all scores
// under their own names. No name is there twice, none of them holds a character that a terminal
// obeys or a byte that is not UTF-8. Nulls are left out; kMostLogged at most.
WEFT_API std::vector<LoggedValue> logged_values(const TrainingInfo& info);

// The leaves of an object that are numbers, or all of them.
WEFT_API std::vector<LoggedValue> numbers_of(const Object& object);
WEFT_API std::vector<LoggedValue> leaves_of(const Object& object);

// A number, or NaN and infinities as Python's `float` reads them: "0.25", "nan", "-inf".
WEFT_API std::string number_text(const Node& number);

}  // namespace weft
