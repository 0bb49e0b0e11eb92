// Any bytes as the file of a recognizer's confidences: refused, or written and read as the same.
#include "framework/parser/span_calibration.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::fuzz::FuzzFolder folder;
  folder.write(weft::kCalibrationFile, weft::as_text(data, size));
  try {
    const auto read = weft::read_calibration(folder.path());
    weft::write_calibration(*read, folder.path());
    const auto again = weft::read_calibration(folder.path());
    weft::fuzz::check(again->slope == read->slope, "the slope is another one", read->data);
  } catch (const weft::Error&) {
    return 0;
  }
  return 0;
}
