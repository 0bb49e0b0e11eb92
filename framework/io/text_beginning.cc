#include "framework/io/text_beginning.h"

#include <array>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

namespace {

// Marks of both byte orders; neither FE nor FF occurs anywhere in UTF-8.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kWideMarks = {
    {{{"\xFF\xFE\0\0", 4}, "UTF-32"},
     {{"\0\0\xFE\xFF", 4}, "UTF-32"},
     {"\xFF\xFE", "UTF-16"},
     {"\xFE\xFF", "UTF-16"}}};

// Of four bytes those that are zero in letters of ASCII.
constexpr std::array<std::pair<std::array<bool, 4>, const char*>, 4> kZeros = {
    {{{false, true, false, true}, "UTF-16LE"},
     {{true, false, true, false}, "UTF-16BE"},
     {{false, true, true, true}, "UTF-32LE"},
     {{true, true, true, false}, "UTF-32BE"}}};
constexpr std::size_t kMostLooked = 64;

bool has_zeros(std::string_view bytes, const std::array<bool, 4>& zeros) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if ((bytes[i] == '\0') != zeros[i % zeros.size()]) return false;
  }
  return true;
}

// "" for bytes that may be UTF-8.
std::string_view wide_encoding(std::string_view beginning) {
  for (const auto& [mark, name] : kWideMarks) {
    if (beginning.starts_with(mark)) return name;
  }
  const std::string_view looked = beginning.substr(0, kMostLooked);
  if (looked.size() < 4) return "";
  for (const auto& [zeros, name] : kZeros) {
    if (has_zeros(looked, zeros)) return name;
  }
  return "";
}

}  // namespace

void refuse_wide(std::string_view beginning, const std::string& file) {
  const std::string_view encoding = wide_encoding(beginning);
  if (encoding.empty()) return;
  throw Error(
      ErrorKind::data,
      fmt::format("this is text in {0}; `iconv -f {0} -t UTF-8` makes UTF-8 of it, which is read",
                  encoding),
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
  refuse_wide(beginning, file);
  refuse_packed(beginning, file);
  refuse_doc_bin(beginning, file);
}

}  // namespace weft
