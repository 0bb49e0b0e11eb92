#include "framework/io/text_beginning.h"

#include <array>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

void refuse_utf16(std::string_view beginning, const std::string& file) {
  // Neither byte occurs anywhere in UTF-8.
  if (!beginning.starts_with("\xFF\xFE") && !beginning.starts_with("\xFE\xFF")) return;
  throw Error(ErrorKind::data,
              "this is text in UTF-16; `iconv -f UTF-16 -t UTF-8` makes UTF-8 of it, which is read",
              Origin::file(std::make_shared<const std::string>(file), 1, 0));
}

void refuse_packed(std::string_view beginning, const std::string& file) {
  // Each begins with bytes that are no UTF-8.
  constexpr std::array<std::tuple<std::string_view, std::string_view, std::string_view>, 3>
      kPacked = {{{"\x1F\x8B", ".gz", "zcat"},
                  {"\x28\xB5\x2F\xFD", ".zst", "zstdcat"},
                  {"\xFD\x37\x7A\x58\x5A", ".xz", "xzcat"}}};
  for (const auto& [mark, ending, command] : kPacked) {
    if (!beginning.starts_with(mark)) continue;
    throw Error(ErrorKind::data,
                fmt::format("the data is packed, as files that end in {0} are: give it a name with "
                            "that ending, or what `{1}` makes of it",
                            ending, command),
                Origin::file(std::make_shared<const std::string>(file), 0, 0));
  }
}

void refuse_doc_bin(std::string_view beginning, const std::string& file) {
  // Streams of zlib at its usual level; the second byte begins no character.
  if (!beginning.starts_with("\x78\x9C")) return;
  throw Error(
      ErrorKind::data,
      "the data begins as .spacy files do, which are no text: \"spacy.Corpus.v1\" reads them in "
      "a config, and commands do where the name ends in .spacy",
      Origin::file(std::make_shared<const std::string>(file), 0, 0));
}

void refuse_other_bytes(std::string_view beginning, const std::string& file) {
  refuse_utf16(beginning, file);
  refuse_packed(beginning, file);
  refuse_doc_bin(beginning, file);
}

}  // namespace weft
