// Any bytes as `key2row`: the rows of the keys of word vectors.
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/read_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::fuzz::FuzzFolder folder;
  static const bool made = (weft::fuzz::make_vectors(folder), true);
  (void)made;
  folder.write("key2row", weft::as_text(data, size));
  weft::fuzz::read_and_write_vectors(folder);
  return 0;
}
