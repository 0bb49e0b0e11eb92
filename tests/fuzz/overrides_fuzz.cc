// Any text as the environment's overrides, applied to a small config: no crash, and every override
// is either applied or reported.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "registry/overrides/overrides.h"
#include "registry/reading/cfg_reader.h"
#include "tests/fuzz/check.h"

namespace {

constexpr std::string_view kConfig =
    "[paths]\nroot = \"a\"\nfile = \"${paths.root}/b\"\n[model]\nwidth = 96\n[model.sub]\n"
    "width = ${model.width}\n[model.*.one]\nk = [${model.width}]\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  weft::Problems problems;
  weft::ReadOptions options;
  options.overrides =
      weft::collect_overrides(weft::split_words(text).words, {{"WEFT", text}}, problems);
  problems.clear();
  weft::Config config = weft::read_cfg(kConfig, "fuzz.cfg", problems, options);
  if (weft::has_errors(problems)) return 0;
  weft::check_overrides(config, options.overrides, problems);
  return 0;
}
