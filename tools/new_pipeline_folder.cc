#include "tools/new_pipeline_folder.h"

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft::tools {

void refuse_other_folder(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder) || std::filesystem::exists(folder / "meta.json")) return;
  if (std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder)) return;
  throw Error(ErrorKind::usage, fmt::format("{} exists and is no pipeline", folder.string()));
}

}  // namespace weft::tools
