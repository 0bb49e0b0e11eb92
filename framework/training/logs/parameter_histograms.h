// How the numbers of the trained parameters are distributed.
#pragma once

#include <string>
#include <vector>

#include "framework/training/logger.h"
#include "framework/training/logs/event_messages.h"

namespace weft {

struct ParameterHistogram {
  std::string name;  // as in checkpoints: "ner/3/linear/W"
  std::vector<HistogramBucket> buckets;
};

// Thirty buckets of equal width for each parameter of the components that are trained; one where
// all its numbers are equal. The weights on the host are those of this moment.
std::vector<ParameterHistogram> parameter_histograms(const LogSetup& setup);

}  // namespace weft
