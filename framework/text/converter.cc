#include "framework/text/converter.h"

#include <array>
#include <filesystem>
#include <utility>

#include "framework/text/iob_line_reader.h"

namespace weft {

std::string_view converter_for(const std::string& path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kEndings = {{
      {".conll", "conll"},
      {".iob", "conll"},
      {".iob2", "conll"},
      {".bio", "conll"},
      {".tsv", "conll"},
      {".jsonl", "jsonl"},
      {".ndjson", "jsonl"},
      {".json", "json"},
      {".spacy", "spacy"},
      {".txt", "text"},
      {".text", "text"},
  }};
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return "spacy";
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".iob" && looks_like_iob_lines(path)) return "iob";
  for (const auto& [known, name] : kEndings) {
    if (known == ending) return name;
  }
  return "";
}

}  // namespace weft
