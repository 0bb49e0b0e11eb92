// Any bytes as a line of `log.jsonl`: nothing, or an evaluation that is written again as it was
// read.
#include "framework/training/run_log.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto found = weft::parse_logged(weft::as_text(data, size));
  if (!found) return 0;
  weft::Object again;
  again.set("step", found->step);
  again.set("score", found->score);
  const auto second = weft::parse_logged(weft::to_json(again));
  weft::fuzz::check(second.has_value() && second->step == found->step, "the step is lost",
                    weft::to_json(again));
  return 0;
}
