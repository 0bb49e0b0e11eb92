// Any bytes as a matrix of NumPy: refused, or what was read is written and read again.
#include "framework/io/npy.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/memory_file.h"

namespace {

bool same(const weft::Tensor& left, const weft::Tensor& right) {
  const auto bytes = [](const weft::Tensor& matrix) {
    return std::string_view(reinterpret_cast<const char*>(matrix.data<float>()), matrix.bytes());
  };
  return left.shape() == right.shape() && bytes(left) == bytes(right);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::fuzz::FuzzFolder folder;
  try {
    const weft::MemoryFile file(weft::as_text(data, size));
    const weft::Tensor matrix = weft::read_npz_matrix(file.path());  // takes floats of any kind
    weft::write_npy_matrix(folder.path() / "matrix", matrix);
    const bool equal = same(matrix, weft::read_npy_matrix(folder.path() / "matrix"));
    weft::fuzz::check(equal, "a matrix reads back differently", "");
  } catch (const weft::Error&) {
  }
  return 0;
}
