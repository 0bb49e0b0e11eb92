#include "framework/pipeline/find_pipeline.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"
#include "registry/value/members.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kMostFolders = 64;  // versions of Python below one prefix

std::vector<fs::path>& set_folders() {
  static std::vector<fs::path>& folders = *new std::vector<fs::path>;
  return folders;
}

bool is_pipeline(const fs::path& folder) {
  std::error_code unknown;
  return fs::is_regular_file(folder / "config.cfg", unknown);
}

// A name that a package can have; a path has other signs.
bool is_package_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
         });
}

// lib/python3.11/site-packages, lib/python3/dist-packages and their like below a prefix.
void add_packages_below(const fs::path& prefix, std::vector<fs::path>& folders) {
  std::error_code unknown;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(prefix / "lib", unknown)) {
    if (!entry.path().filename().string().starts_with("python3")) continue;
    for (const char* name : {"site-packages", "dist-packages"}) {
      if (fs::is_directory(entry.path() / name, unknown)) found.push_back(entry.path() / name);
    }
    if (found.size() >= kMostFolders) break;
  }
  std::ranges::sort(found);
  folders.insert(folders.end(), found.begin(), found.end());
}

// The folder above the one with the first python3 in PATH.
std::optional<fs::path> prefix_in_path() {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view() : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code unknown;
    if (folder.is_absolute() && fs::is_regular_file(folder / "python3", unknown)) {
      return folder.parent_path();
    }
  }
  return std::nullopt;
}

void add_active_python(std::vector<fs::path>& folders) {
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const char* const prefix = std::getenv(variable);
    if (prefix != nullptr && *prefix != '\0') return add_packages_below(prefix, folders);
  }
  const auto prefix = prefix_in_path();
  if (!prefix) return;
  if (*prefix == "/usr") add_packages_below("/usr/local", folders);  // what pip installs goes there
  add_packages_below(*prefix, folders);
}

// A package has its pipeline in a folder that its meta.json names: en_core/en_core-0.1.0.
std::optional<fs::path> pipeline_in_package(const fs::path& package) {
  if (!is_there(package / "meta.json")) return std::nullopt;
  const auto meta = parse_json(read_file(package / "meta.json", kMostSettings));
  if (!meta || !meta->is_object()) return std::nullopt;
  const std::string version = text_at(meta->as_object(), "version");
  const std::string name = package.filename().string() + "-" + version;
  if (fs::path(name).filename() != name || !is_pipeline(package / name)) return std::nullopt;
  return package / name;
}

}  // namespace

void set_pipeline_folders(std::vector<fs::path> folders) {
  set_folders() = std::move(folders);
}

std::vector<fs::path> pipeline_folders() {
  std::vector<fs::path> folders = set_folders();
  add_active_python(folders);
  return folders;
}

fs::path find_pipeline(const std::string& name) {
  return find_pipeline(name, pipeline_folders());
}

fs::path find_pipeline(const std::string& name, const std::vector<fs::path>& folders) {
  if (!is_package_name(name) || is_there(name)) return name;
  for (const fs::path& folder : folders) {
    fs::path candidate = folder / name;
    if (is_pipeline(candidate)) return candidate;
    if (auto inner = pipeline_in_package(candidate)) return *std::move(inner);
  }
  return name;
}

std::optional<std::string> run_folder_fault(const fs::path& folder) {
  if (is_there(folder / "meta.json")) return std::nullopt;
  for (const char* name : {"model-best", "model-last"}) {
    if (!is_there(folder / name)) continue;
    return fmt::format("{} is the folder of a run; a pipeline of it is {}", folder.string(),
                       (folder / name).string());
  }
  return std::nullopt;
}

std::string where_looked_for(const std::string& name) {
  if (!is_package_name(name)) return {};
  std::vector<std::string> folders = {"the working directory"};
  for (const fs::path& folder : pipeline_folders()) folders.push_back(folder.string());
  return fmt::format(" (looked for in {}; --pipelines DIR adds a folder)",
                     fmt::join(folders, ", "));
}

}  // namespace weft
