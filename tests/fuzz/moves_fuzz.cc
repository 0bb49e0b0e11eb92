// Any bytes as the `moves` file of an entity recognizer: refused, or what was read is written and
// read again.
#include "framework/parser/action_table.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const auto table = weft::ActionTable::from_bytes(weft::as_text(data, size), "fuzz");
    for (int i = 0; i < table.size(); ++i) (void)table.name(i);
    (void)table.labels();
    written = table.to_bytes();
  } catch (const weft::Error&) {
    return 0;
  }
  const auto again = weft::ActionTable::from_bytes(written, "fuzz");
  weft::fuzz::check(again.to_bytes() == written, "written anew it differs", again.to_json());
  return 0;
}
