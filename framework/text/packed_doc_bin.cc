#include "framework/text/packed_doc_bin.h"

#include <array>
#include <string_view>
#include <utility>

#include "framework/io/files_below.h"
#include "registry/base/error.h"

namespace weft {

template <class Use>
auto PackedDocBin::with_name(Use use) const {
  try {
    return use();
  } catch (const Error& error) {
    const Origin& place = error.place();
    if (!place.name || *place.name != input_.path()) throw;
    throw Error(error.kind(), error.message(),
                Origin::file(std::make_shared<const std::string>(file_), place.line, place.column));
  }
}

PackedDocBin::PackedDocBin(const std::string& file, std::shared_ptr<const Vocab> vocab)
    : file_(file), input_(file, Inflated::yes) {
  with_name([&] { reader_.emplace(input_.path(), std::move(vocab)); });
}

std::optional<Doc> PackedDocBin::next() {
  return with_name([&] { return reader_->next(); });
}

std::vector<std::string> doc_bins_below(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 1> kEnding = {".spacy"};
  return files_below(path, kEnding, CompressedFiles::taken);
}

}  // namespace weft
