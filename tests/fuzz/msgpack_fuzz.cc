// Any bytes as MessagePack: a copied value is a skipped one and reads as itself.
#include <cstdlib>

#include "framework/io/msgpack_reader.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

namespace {

void read_any(weft::MsgpackReader& reader) {
  switch (reader.peek()) {
    case weft::MsgpackType::nil:
      return reader.read_nil();
    case weft::MsgpackType::boolean:
      reader.read_bool();
      return;
    case weft::MsgpackType::integer:
      reader.read_integer();
      return;
    case weft::MsgpackType::floating:
      reader.read_number();
      return;
    case weft::MsgpackType::str:
      reader.read_str();
      return;
    case weft::MsgpackType::bin:
      reader.read_bin();
      return;
    case weft::MsgpackType::array:
      reader.read_array();
      return;
    case weft::MsgpackType::map:
      reader.read_map();
      return;
    case weft::MsgpackType::ext:
      reader.skip_value();
      return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = weft::as_text(data, size);
  try {
    weft::MemoryCursor flat(bytes, "fuzz");
    weft::MsgpackReader reader(flat);
    while (!flat.at_end()) read_any(reader);
  } catch (const weft::Error&) {
  }
  try {
    weft::MemoryCursor cursor(bytes, "fuzz");
    weft::MsgpackReader reader(cursor);
    const std::string copy = reader.copy_value();
    if (copy != bytes.substr(0, cursor.position())) std::abort();
  } catch (const weft::Error&) {
  }
  return 0;
}
