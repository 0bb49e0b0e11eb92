// Any bytes as a `.toml` file, expanded and kept: no crash, and written configs read back the
// same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/reading/toml_reader.h"
#include "registry/value/json.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/toml_writer.h"
#include "tests/fuzz/check.h"

namespace {

using weft::fuzz::check;

weft::Config read(std::string_view text, bool interpolate, weft::Problems& problems) {
  weft::ReadOptions options;
  options.interpolate = interpolate;
  return weft::read_toml(text, "fuzz.toml", problems, options);
}

void reads_back(std::string_view text, bool interpolate) {
  weft::Problems problems;
  const weft::Config first = read(text, interpolate, problems);
  for (const weft::Problem& problem : problems) (void)problem.str();
  if (weft::has_errors(problems)) return;
  if (!interpolate) weft::interpolate(first, problems);
  problems.clear();
  const std::string written = weft::write_toml(first, problems);
  if (weft::has_errors(problems)) return;
  const weft::Config second = read(written, interpolate, problems);
  check(!weft::has_errors(problems), "what was written cannot be read", written);
  if (!interpolate) return;
  check(weft::Node(first.root()).same_value(weft::Node(second.root())),
        "what was written reads back differently",
        written + "\n" + weft::to_json(first.root()) + "\n" + weft::to_json(second.root()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  reads_back(text, true);
  reads_back(text, false);
  return 0;
}
