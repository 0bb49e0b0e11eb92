// spacy.models_with_nvtx_range.v1 and spacy.models_and_pipes_with_nvtx_range.v1: marks for a
// profiler of GPU programs. Accepted, so that configs that carry them run; they change nothing.
// Source: spaCy 3.8.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/callback.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

constexpr Ignored kNoMarks{"weft sets no marks for a profiler"};

struct ModelMarks {
  int forward_color = -1;
  int backprop_color = -1;
};

template <class V>
void fields(V& v, ModelMarks& c) {
  v("forward_color", c.forward_color, "colour of forward passes", kNoMarks);
  v("backprop_color", c.backprop_color, "colour of backward passes", kNoMarks);
}

struct PipeMarks : ModelMarks {
  std::optional<std::map<std::string, std::vector<std::string>>> additional_pipe_functions;
};

template <class V>
void fields(V& v, PipeMarks& c) {
  fields(v, static_cast<ModelMarks&>(c));
  v("additional_pipe_functions", c.additional_pipe_functions,
    "further functions of each component that are marked", kNoMarks);
}

Callback nothing(const ModelMarks&) {
  return {[](CallbackCall&) {}};
}

Callback nothing_either(const PipeMarks&) {
  return {[](CallbackCall&) {}};
}

const Registration models{"spacy.models_with_nvtx_range.v1", nothing, "no effect"};
const Registration pipes{"spacy.models_and_pipes_with_nvtx_range.v1", nothing_either, "no effect"};

}  // namespace
}  // namespace weft
