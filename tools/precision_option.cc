#include "tools/precision_option.h"

#include <iostream>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/compare_predictions.h"
#include "framework/precision/capability.h"
#include "framework/tensor/open_backend.h"
#include "registry/base/error.h"

namespace weft::tools {

void follow_precision(const CommandLine& line, Language& nlp) {
  if (!line.has("precision")) return;
  const PrecisionPolicy policy = policy_of_level(line.text("precision"));
  for (const Notice& notice : check_device(policy, properties_of(device_of(nlp)))) {
    if (notice.severity == Severity::error) throw Error(ErrorKind::device, notice.str());
    std::cerr << "note: " << notice.str() << '\n';
  }
  predict_under(policy, nlp);
}

}  // namespace weft::tools
