// Any bytes as a `.cfg` file, expanded and kept: no crash, and written configs read back the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"
#include "tests/fuzz/check.h"

namespace {

using weft::fuzz::check;

weft::Config read(std::string_view text, bool interpolate, weft::Problems& problems) {
  weft::ReadOptions options;
  options.interpolate = interpolate;
  return weft::read_cfg(text, "fuzz.cfg", problems, options);
}

void expanded_reads_back(std::string_view text) {
  weft::Problems problems;
  const weft::Config first = read(text, true, problems);
  for (const weft::Problem& problem : problems) (void)problem.str();
  if (weft::has_errors(problems)) return;
  problems.clear();
  const std::string written = weft::write_cfg(first, problems);
  if (weft::has_errors(problems)) return;
  const weft::Config second = read(written, true, problems);
  check(!weft::has_errors(problems), "what was written cannot be read", written);
  check(weft::Node(first.root()).same_value(weft::Node(second.root())),
        "what was written reads back differently",
        written + "\n" + weft::to_json(first.root()) + "\n" + weft::to_json(second.root()));
}

void kept_expands(std::string_view text) {
  weft::Problems problems;
  const weft::Config kept = read(text, false, problems);
  if (weft::has_errors(problems)) return;
  weft::interpolate(kept, problems);
  weft::write_cfg(kept, problems);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expanded_reads_back(text);
  kept_expands(text);
  return 0;
}
