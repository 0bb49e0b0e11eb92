#include "framework/io/compression.h"

namespace weft {

Compression compression_of(std::string_view name) {
  for (const auto& [ending, compression] : kCompressedEndings) {
    if (name.ends_with(ending)) return compression;
  }
  return Compression::none;
}

std::string_view name_of(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::xz:
      return "xz";
    case Compression::none:
      break;
  }
  return "";
}

std::string_view uncompressed_name(std::string_view name) {
  for (const auto& [ending, compression] : kCompressedEndings) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

std::string format_ending(const std::filesystem::path& file) {
  return std::filesystem::path(uncompressed_name(file.native())).extension().string();
}

}  // namespace weft
