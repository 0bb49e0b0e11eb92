// Finds saved pipelines by what a config or a user calls them: a folder, or the name of a Python
// package such as "en_core_web_sm".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Folders that are searched before all others: those of --pipelines. Set before anything is looked
// up, by the program and not by a library.
WEFT_API void set_pipeline_folders(std::vector<std::filesystem::path> folders);

// The folders that packages are looked for in, in this order: those that were set, and the
// site-packages of the active Python: of VIRTUAL_ENV or CONDA_PREFIX, else of the first python3 in
// PATH. No Python is run.
WEFT_API std::vector<std::filesystem::path> pipeline_folders();

// The folder with the pipeline's config.cfg. A path that leads to something is taken as it is; a
// name is that of a pipeline or package in one of those folders. Where there is none, `name`
// itself: its reader says so.
WEFT_API std::filesystem::path find_pipeline(const std::string& name);
// The same in other folders.
WEFT_API std::filesystem::path find_pipeline(const std::string& name,
                                             const std::vector<std::filesystem::path>& folders);

// Why a folder is no pipeline where it is the output of a run, which has a config too: the message
// names a pipeline in it. Nothing for any other folder.
WEFT_API std::optional<std::string> run_folder_fault(const std::filesystem::path& folder);

// Where a name was looked for, to be put behind a message; empty for a path.
WEFT_API std::string where_looked_for(const std::string& name);

}  // namespace weft
