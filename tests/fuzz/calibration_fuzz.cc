// Any bytes as the file of a recognizer's confidences: refused, or written and read as the same,
// once its numbers are rounded to the ten digits that are written.
#include "framework/parser/span_calibration.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::fuzz::FuzzFolder folder;
  folder.write(weft::kCalibrationFile, weft::as_text(data, size));
  try {
    weft::write_calibration(*weft::read_calibration(folder.path()), folder.path());
    const auto rounded = weft::read_calibration(folder.path());
    weft::write_calibration(*rounded, folder.path());
    const auto again = weft::read_calibration(folder.path());
    weft::fuzz::check(again->slope == rounded->slope, "the slope is another one", rounded->data);
    weft::fuzz::check(again->entities == rounded->entities, "entities are others", rounded->data);
  } catch (const weft::Error&) {
    return 0;
  }
  return 0;
}
