// Any bytes as `run.json`, of a run that is resumed: a new part is added to those that it has.
#include "framework/training/manifest.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile file(weft::as_text(data, size));
  weft::Object fresh;
  fresh.set("parts", weft::List{weft::Object()});
  (void)weft::manifest_log(file.path());
  try {
    const weft::Object continued = weft::continued_manifest(file.path(), fresh);
    weft::fuzz::check(continued.find("parts")->as_list().size() > 1, "a part is missing",
                      weft::to_json(continued));
  } catch (const weft::Error&) {
  }
  return 0;
}
