// Any bytes as a file of word vectors, the first two of which say what the name ends with and
// whether a floret header is expected: refused, or every word has a row, pruned and written.
#include <array>

#include "framework/pipeline/prune_vectors.h"
#include "framework/text/vector_text.h"
#include "framework/text/vectors_file.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::fuzz::FuzzFolder folder, copy;
  constexpr std::array<const char*, 5> kNames = {"v.txt", "v.vec.gz", "v.zip", "v.tar.gz", "v.tgz"};
  if (size < 2) return 0;
  const char* const name = kNames[data[0] % kNames.size()];
  const bool floret = data[1] % 2 == 1;
  folder.write(name, weft::as_text(data + 2, size - 2));
  try {
    const weft::VectorText text = weft::read_vector_text(
        (folder.path() / name).string(), {.floret = floret, .truncate = data[1] / 2});
    const auto words = static_cast<std::int64_t>(text.words.size());
    weft::fuzz::check(words == text.table.dim(0), "words and rows differ", "");
    if (text.floret) {
      weft::write_vectors({text.table, *text.floret}, copy.path());
    } else {
      const weft::Vectors vectors = weft::vectors_by_word(text);
      weft::fuzz::check(words == 0 || vectors.rows() > 0, "no row is left", "");
      weft::write_vectors(weft::prune_vectors(vectors, 2), copy.path());
    }
    (void)weft::read_vectors(copy.path());
  } catch (const weft::Error&) {
  }
  return 0;
}
