#include "framework/pipeline/replaceable_folder.h"

#include <fmt/format.h>

#include "framework/io/same_file.h"
#include "registry/base/error.h"

namespace weft {

void refuse_other_folder(const std::filesystem::path& folder) {
  std::error_code unknown;  // of a file, which has nothing in it
  if (!std::filesystem::exists(folder) || std::filesystem::exists(folder / "meta.json", unknown)) {
    return;
  }
  if (std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder)) return;
  throw Error(ErrorKind::usage, fmt::format("{} exists and is no pipeline", folder.string()));
}

void refuse_input_within(const std::filesystem::path& folder, const std::filesystem::path& input) {
  std::error_code unknown;
  if (std::filesystem::equivalent(folder, input, unknown)) {
    throw Error(ErrorKind::usage, fmt::format("{} is read, and would be replaced; give another "
                                              "place for the output",
                                              input.string()));
  }
  if (!is_input_itself(folder, input)) return;
  throw Error(ErrorKind::usage, fmt::format("{} lies in {}, which would be replaced; give another "
                                            "place for the output",
                                            input.string(), folder.string()));
}

}  // namespace weft
