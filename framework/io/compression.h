// How a file of text is compressed, which the last ending of its name says: corpus.jsonl.gz.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "registry/base/export.h"

namespace weft {

enum class Compression { none, gzip, zstd, xz };

inline constexpr std::array<std::pair<std::string_view, Compression>, 3> kCompressedEndings = {{
    {".gz", Compression::gzip},
    {".zst", Compression::zstd},
    {".xz", Compression::xz},
}};

WEFT_API Compression compression_of(std::string_view name);
// "gzip"; "" for none.
WEFT_API std::string_view name_of(Compression compression);
// The name without the ending of its compression: "corpus.jsonl".
WEFT_API std::string_view uncompressed_name(std::string_view name);
// The ending that says the format: ".jsonl" of "corpus.jsonl" and "corpus.jsonl.gz"; "" without.
WEFT_API std::string format_ending(const std::filesystem::path& file);

}  // namespace weft
