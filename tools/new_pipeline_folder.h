// The folder that a command writes a pipeline to.
#pragma once

#include <filesystem>

namespace weft::tools {

// Throws Error(usage) where something stands there that is neither a pipeline nor an empty folder:
// it would be replaced.
void refuse_other_folder(const std::filesystem::path& folder);
// Throws Error(usage) where the file that is read stands in the folder: it would be gone.
void refuse_input_within(const std::filesystem::path& folder, const std::filesystem::path& input);

}  // namespace weft::tools
