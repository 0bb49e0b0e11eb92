// Any bytes as the `state.json` of a checkpoint: as the whole file, or, where the first byte is
// odd, as its object, with the hash behind it and the other files' hashes as they are.
#include "framework/precision/checkpoint.h"
#include "framework/training/checkpoint.h"
#include "framework/training/log_file.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/sealed_state.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

const weft::fuzz::FuzzFolder& folder() {
  static const weft::fuzz::FuzzFolder made;
  return made;
}

void resume(const weft::Checkpoint& checkpoint, weft::Language& nlp) {
  try {
    weft::restore_pipeline(checkpoint, folder().path(), nlp);
  } catch (const weft::Error&) {
  }
  try {
    const weft::LogFile log({folder().path() / "log.jsonl"}, checkpoint.log);
  } catch (const weft::Error&) {
  }
  if (!checkpoint.precision.is_object()) return;
  weft::PrecisionPolicy policy;
  weft::resume_precision(checkpoint.precision.as_object(), policy);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = [] {
    auto made = weft::fuzz::recognizer_pipeline();
    weft::write_checkpoint({}, *made, folder().path());
    folder().write("log.jsonl", "{}\n");
    return made;
  }();
  if (size == 0) return 0;
  const std::string_view bytes = weft::as_text(data + 1, size - 1);
  folder().write("state.json",
                 (data[0] & 1) != 0
                     ? weft::fuzz::sealed_state(bytes, folder(),
                                                {"optimizer.safetensors", "pipeline/meta.json"})
                     : std::string(bytes));
  try {
    resume(weft::read_checkpoint(folder().path()), *nlp);
  } catch (const weft::Error&) {
  }
  return 0;
}
