// Any bytes as `lookups.bin`: refused, or what was read is written and read again.
#include "framework/text/lookups.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    weft::Lookups lookups = weft::Lookups::parse(weft::as_text(data, size), "fuzz");
    written = lookups.packed();
    (void)lookups.norms();
    lookups.add(weft::Lookups::kNorms, {{"cuz", "because"}});
    const auto norms = weft::Lookups::parse(lookups.packed(), "fuzz").norms();
    weft::fuzz::check(norms == lookups.norms(), "norms read back differently", "");
  } catch (const weft::Error&) {
  }
  if (written.empty()) return 0;
  const weft::Lookups again = weft::Lookups::parse(written, "fuzz");
  weft::fuzz::check(again.packed() == written, "written anew it differs", "");
  return 0;
}
