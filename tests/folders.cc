#include "tests/folders.h"

namespace weft {
namespace {

std::string joined(const char* folder, std::string_view below) {
  std::string path = folder;
  if (!below.empty()) path.append("/").append(below);
  return path;
}

}  // namespace

std::string source_path(std::string_view below) {
  return joined(WEFT_SOURCE_DIR, below);
}

std::string build_path(std::string_view below) {
  return joined(WEFT_BINARY_DIR, below);
}

std::string library_path(std::string_view below) {
  return joined(WEFT_LIBRARY_DIR, below);
}

}  // namespace weft
