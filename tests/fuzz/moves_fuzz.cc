// Any bytes as the `moves` file of an entity recognizer and of a dependency parser: refused, or
// what was read is written and read again.
#include "framework/parser/action_table.h"
#include "framework/parser/arc_table.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

template <class Table>
void check_table(const std::string& bytes) {
  std::string written;
  try {
    const auto table = Table::from_bytes(bytes, "fuzz");
    for (int i = 0; i < table.size(); ++i) (void)table.name(i);
    (void)table.labels();
    written = table.to_bytes();
  } catch (const weft::Error&) {
    return;
  }
  const auto again = Table::from_bytes(written, "fuzz");
  weft::fuzz::check(again.to_bytes() == written, "written anew it differs", again.to_json());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(weft::as_text(data, size));
  check_table<weft::ActionTable>(bytes);
  check_table<weft::ArcTable>(bytes);
  return 0;
}
