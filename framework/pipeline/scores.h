// The result of an evaluation: names and numbers, per-type tables included.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "registry/base/export.h"
#include "registry/functions/type.h"
#include "registry/value/config.h"

namespace weft {

class Example;

// "ents_f": 0.17, "ents_per_type": {"person": {"p": …, "r": …, "f": …}}. A null is a score that
// could not be computed. Scores are fractions.
using Scores = Object;

// Scores of examples that come in groups, one after the other. Groups are not kept.
class WEFT_API ScoreSession {
 public:
  virtual ~ScoreSession() = default;
  virtual void add(std::span<const Example> examples) = 0;
  virtual Scores finish() = 0;  // of all that was added; once
};
using ScoreSessionPtr = std::unique_ptr<ScoreSession>;

// Compares the predicted with the reference documents. Named by `@scorers`.
struct Scorer {
  std::function<Scores(std::span<const Example>)> score;
  // The same for examples that come in groups; empty: it needs all of them at once.
  std::function<ScoreSessionPtr()> start = {};
  // The same with the settings of the component that is scored, those of its file `cfg`, and its
  // "labels". Empty: none of them matters.
  std::function<Scores(std::span<const Example>, const Object& settings)> score_with = {};
  explicit operator bool() const { return static_cast<bool>(score); }
};

template <>
struct ProductTraits<Scorer> {
  static constexpr std::string_view kind = "scorers", name = "scorer";
  static constexpr bool callable = true;
};

}  // namespace weft
