// Any bytes as a `.safetensors` file: refused, or every array can be had.
#include "framework/io/safetensors.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto arrays = weft::SafeTensors::parse(std::string(weft::as_text(data, size)), "fuzz");
    for (const std::string& name : arrays.names()) {
      weft::fuzz::check(arrays.contains(name), "a name that is not there", name);
      (void)arrays.tensor(name);
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
