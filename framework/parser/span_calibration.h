// From the scores of an entity's actions to the probability that the entity is right
// (docs/confidence.md).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "framework/parser/entity_evidence.h"
#include "registry/base/export.h"

namespace weft {

// confidence = sigmoid(slope · logit(p) + offset), where p is the probability that all actions of
// the entity are taken: softmaxes of their scores at `temperature`, multiplied.
struct WEFT_API SpanCalibration {
  double temperature = 1;  // more than 0
  double slope = 1;        // at least 0: the more probable entity is never the less certain one
  double offset = 0;
  // The data it was fitted to: entities that were predicted, and how many of them were right.
  std::int64_t entities = 0, right = 0;
  std::string data = {};  // as it was named

  // 0 for scores that are no numbers.
  double confidence(const ActionScores& actions) const;
};

// A predicted entity that the annotation says something of.
struct JudgedEvidence {
  ActionScores actions;
  bool is_right = false;
};

// Fewer entities say too little.
inline constexpr std::size_t kFewestJudged = 20;

// The numbers under which the log-likelihood of the judgements is highest. Throws
// Error(internal) for fewer than kFewestJudged entities.
WEFT_API SpanCalibration fit_calibration(std::span<const JudgedEvidence> entities);

// `confidence.json` in the folder of a component, which spaCy does not read.
inline constexpr const char* kCalibrationFile = "confidence.json";
WEFT_API void write_calibration(const SpanCalibration& calibration,
                                const std::filesystem::path& folder);
// None where the folder has no such file. Throws Error(data) for anything but what was written.
WEFT_API std::optional<SpanCalibration> read_calibration(const std::filesystem::path& folder);

}  // namespace weft
