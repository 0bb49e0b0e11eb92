// Recorded updates of one component with beams.
#pragma once

#include <map>
#include <string>

#include "framework/io/safetensors.h"
#include "framework/nn/parameter.h"
#include "framework/parser/transition_component.h"
#include "framework/pipeline/shard_runner.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

inline bool is_beam_update(const Json& record) {
  return record.contains("beam_width");
}

// The component of the record, the only one that parses; the other ones that do take no part.
TransitionComponent& prepare_beam_update(Language& nlp, const Json& record, ShardRunner& runner);

// Adds the record's `shift/PARAMETER` to the parameters.
void shift_parameters(const std::map<std::string, Parameter*>& parameters,
                      const SafeTensors& tensors);

// The recorded analyses, and how many states each step scored.
void check_beam_update(const TransitionComponent& component, const Json& record, Checks& checks);

}  // namespace weft::conformance
