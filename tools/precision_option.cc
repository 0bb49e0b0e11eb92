#include "tools/precision_option.h"

#include <iostream>

#include "framework/pipeline/compare_predictions.h"
#include "framework/precision/capability.h"

namespace weft::tools {

void follow_precision(const CommandLine& line, Language& nlp) {
  if (!line.has("precision")) return;
  const PrecisionPolicy policy = policy_of_level(line.text("precision"));
  for (const Notice& notice : check_device(policy, DeviceProperties())) {
    std::cerr << "note: " << notice.str() << '\n';
  }
  predict_under(policy, nlp);
}

}  // namespace weft::tools
