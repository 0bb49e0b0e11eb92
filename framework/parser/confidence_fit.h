// Fitting the confidences of a pipeline's recognizers to annotated data (docs/confidence.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/parser/span_calibration.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

class EntityRecognizer;

// The enabled recognizers of the pipeline that follow one analysis: those whose entities have no
// confidence by themselves.
WEFT_API std::vector<std::string> greedy_recognizers(const Language& nlp);

// Whether entities that the pipeline finds have a confidence: some enabled recognizer follows
// several analyses or is calibrated.
WEFT_API bool gives_confidences(const Language& nlp);

// Annotates the examples and fits the recognizer called `component` to what is right of it; sets
// its calibration. Nothing, and it has none, where it finds fewer than kFewestJudged entities.
// `data` names the examples. Runs on the CPU. Throws Error(usage) where there is no recognizer of
// that name.
WEFT_API std::optional<SpanCalibration> calibrate(Language& nlp, const std::string& component,
                                                  ExampleStream& examples, const std::string& data);

// Puts a calibration into the folder of a saved pipeline, whose other files stay as they are; the
// hashes in its meta.json know of it.
WEFT_API void save_calibration(const SpanCalibration& calibration, const std::string& component,
                               const std::filesystem::path& pipeline);

}  // namespace weft
