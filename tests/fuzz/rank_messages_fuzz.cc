// Any bytes as the messages between ranks: requests to the store by which they find each other, its
// answers, arrays and texts.
#include "framework/comm/message.h"
#include "framework/comm/store_message.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

void check_request(const std::string& bytes) {
  const auto parsed = weft::parse_store_request(bytes);
  if (!parsed) return;
  weft::fuzz::check(weft::store_request(parsed->request) == bytes.substr(0, parsed->length),
                    "a request does not come back", bytes);
}

void check_answer(const std::string& bytes) {
  const auto parsed = weft::parse_store_answer(bytes);
  if (!parsed) return;
  weft::fuzz::check(weft::store_answer(parsed->value) == bytes.substr(0, parsed->length),
                    "an answer does not come back", bytes);
}

void check_message(const std::string& bytes) {
  weft::MessageReader reader(bytes);
  while (!reader.is_at_end()) {
    reader.get_text();
    reader.get_tensor();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(weft::as_text(data, size));
  for (const auto& check : {check_request, check_answer, check_message}) {
    try {
      check(bytes);
    } catch (const weft::Error&) {
      continue;
    }
  }
  return 0;
}
