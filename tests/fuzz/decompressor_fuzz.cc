// Any bytes as a compressed file, of the kind that the first byte says. Bytes that we
// compressed have to come back.
#include <sstream>

#include "framework/io/compressed_output.h"
#include "framework/io/input_stream.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

constexpr std::size_t kMost = std::size_t{8} << 20;  // bytes looked at of what inflates without end

std::string all_of(weft::InputStream stream) {
  std::string all;
  char piece[4096];
  while (all.size() < kMost) {
    const std::size_t got = stream.read(piece, sizeof piece);
    if (got == 0) break;
    all.append(piece, got);
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto compression = static_cast<weft::Compression>(1 + data[0] % 3);
  const std::string_view bytes = weft::as_text(data + 1, size - 1);
  try {
    const weft::MemoryFile file(bytes);
    all_of(weft::InputStream(file.path(), compression));
  } catch (const weft::Error&) {
  }
  std::ostringstream target;
  weft::CompressedOutput buffer(compression, target);
  std::ostream(&buffer) << bytes;
  buffer.finish();
  const weft::MemoryFile file(target.str());
  weft::fuzz::check(all_of(weft::InputStream(file.path(), compression)) == bytes,
                    "other bytes came back", std::string(bytes));
  return 0;
}
