// Any bytes as a zip archive: refused, or its members are read to their ends or found damaged; and
// as an archive of NumPy.
#include <string>

#include "framework/io/npy.h"
#include "framework/io/zip_archive.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a member that are read
constexpr std::size_t kMostMembers = 16;

void read_member(const weft::InputFile& file, const weft::ZipEntry& entry) {
  try {
    const auto member = weft::open_zip_member(file, "fuzz", entry);
    std::string piece(4096, '\0');
    std::size_t all = 0, got = 1;
    while (got > 0 && all < kMostBytes) all += got = member->read(piece.data(), piece.size());
    const bool whole = got > 0 || all == entry.size;
    weft::fuzz::check(whole, "a member ends early without an error", "");
  } catch (const weft::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::MemoryFile bytes(weft::as_text(data, size));
  try {
    const weft::InputFile file(bytes.path());
    const auto entries = weft::read_zip_directory(file, "fuzz");
    for (std::size_t i = 0; i < entries.size() && i < kMostMembers; ++i)
      read_member(file, entries[i]);
  } catch (const weft::Error&) {
  }
  try {
    (void)weft::read_npz_matrix(bytes.path());
  } catch (const weft::Error&) {
  }
  return 0;
}
