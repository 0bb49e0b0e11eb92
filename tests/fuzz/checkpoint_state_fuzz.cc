// Any bytes as the `state.json` of a checkpoint: as the whole file, or, where the first byte is
// odd, as its object, with the hash behind it and the other files' hashes as they are.
#include "framework/precision/checkpoint.h"
#include "framework/training/checkpoint.h"
#include "framework/training/log_file.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

const weft::fuzz::FuzzFolder& folder() {
  static const weft::fuzz::FuzzFolder made;
  return made;
}

// The object of the bytes with the true hashes, as a file.
std::string with_hashes(std::string_view bytes) {
  auto state = weft::parse_json(bytes);
  if (!state || !state->is_object()) return std::string(bytes);
  weft::Object files;
  for (const char* name : {"optimizer.safetensors", "pipeline/meta.json"}) {
    files.set(name, weft::sha256_of_file(folder().path() / name));
  }
  state->as_object().set("files", std::move(files));
  const std::string text = weft::to_json(*state);
  return text + "\n" + weft::sha256(text) + "\n";
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
  folder().write("state.json", (data[0] & 1) != 0 ? with_hashes(bytes) : std::string(bytes));
  try {
    resume(weft::read_checkpoint(folder().path()), *nlp);
  } catch (const weft::Error&) {
  }
  return 0;
}
