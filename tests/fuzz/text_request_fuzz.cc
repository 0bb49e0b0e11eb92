// Bodies of requests to `weft serve`: texts or an error of data, whatever the bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "framework/text/text_request.h"
#include "registry/base/error.h"
#include "registry/value/json_fault.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto fault = weft::json_fault(body);
  weft::fuzz::check(!fault || fault->byte <= size, "the fault lies outside of the text", "");
  try {
    const weft::TextRequest request = weft::read_text_request(body);
    weft::fuzz::check(!request.is_one || request.texts.size() == 1, "one text is several", "");
  } catch (const weft::Error& error) {
    weft::fuzz::check(error.kind() == weft::ErrorKind::data, "an error of another kind",
                      error.what());
  }
  return 0;
}
