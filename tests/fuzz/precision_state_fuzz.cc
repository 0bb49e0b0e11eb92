// Any bytes as the state of a precision policy in a checkpoint, as JSON: weft's own, PyTorch's or
// Apex's.
#include "framework/precision/checkpoint.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

weft::PrecisionPolicy scaled_policy() {
  weft::PrecisionPolicy policy;
  policy.level = weft::Level::O1;
  policy.dynamic_scale = true;
  return policy;
}

void resume(const weft::Object& saved, const weft::PrecisionPolicy& policy) {
  weft::ResumedPrecision resumed = weft::resume_precision(saved, policy);
  if (!resumed.scaler) return;
  const weft::Object again = weft::save_precision(policy, &*resumed.scaler);
  (void)weft::resume_precision(again, policy);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::PrecisionPolicy policy = scaled_policy();
  const auto saved = weft::parse_json(weft::as_text(data, size));
  if (!saved || !saved->is_object()) return 0;
  try {
    resume(saved->as_object(), policy);
  } catch (const weft::Error&) {
  }
  try {
    (void)weft::resume_foreign_scaler(saved->as_object(), weft::LossScalerSettings());
  } catch (const weft::Error&) {
  }
  return 0;
}
