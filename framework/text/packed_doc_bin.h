// `.spacy` files that are compressed or come from a pipe: their arrays are read from several places
// at once, which only a file on disk allows.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/seekable_input.h"
#include "framework/text/doc_bin.h"
#include "registry/base/export.h"

namespace weft {

// Reads one of them from a copy, any other as DocBinReader does. Messages name the file that was
// given. Throws as SeekableInput and DocBinReader. Not for several threads.
class WEFT_API PackedDocBin {
 public:
  PackedDocBin(const std::string& file, std::shared_ptr<const Vocab> vocab);

  // As DocBinReader::next.
  std::optional<Doc> next();

 private:
  template <class Use>
  auto with_name(Use use) const;

  std::string file_;
  SeekableInput input_;
  std::optional<DocBinReader> reader_;
};

// As files_below for `.spacy` and `.spacy.gz`, `.zst`, `.xz`.
WEFT_API std::vector<std::string> doc_bins_below(const std::filesystem::path& path);

}  // namespace weft
