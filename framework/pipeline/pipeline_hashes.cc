#include "framework/pipeline/pipeline_hashes.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "framework/io/files_below.h"
#include "framework/io/json_file.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::map<std::string, fs::path> files_in(const fs::path& folder, std::string_view except) {
  std::map<std::string, fs::path> files;
  walk_below(folder, [&](const fs::directory_entry& entry) {
    std::error_code unknown;  // of a link that leads nowhere
    if (!entry.is_regular_file(unknown)) return true;
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    if (name != except) files[name] = entry.path();
    return true;
  });
  return files;
}

}  // namespace

Object hash_files(const fs::path& folder, std::string_view except) {
  Object hashes;
  for (const auto& [name, path] : files_in(folder, except)) hashes.set(name, sha256_of_file(path));
  return hashes;
}

HashCheck check_files(const fs::path& folder, const Object& hashes, std::string_view except,
                      std::span<const std::string_view> may_come) {
  HashCheck check;
  auto files = files_in(folder, except);
  for (const auto& [name, hash] : hashes) {
    const auto found = files.find(name);
    if (found == files.end()) {
      check.differences.push_back(name + ": missing");
      continue;
    }
    ++check.files;
    if (!hash.same_value(sha256_of_file(found->second))) {
      check.differences.push_back(name + ": changed");
    }
    files.erase(found);
  }
  for (const auto& [name, path] : files) {
    if (std::ranges::find(may_come, name) != may_come.end()) continue;
    check.differences.push_back(name + ": not there when it was saved");
  }
  return check;
}

HashCheck check_pipeline_files(const fs::path& folder) {
  const Object meta = read_json_object(folder / "meta.json");
  const Node* hashes = meta.find(kFileHashes);
  if (hashes == nullptr || !hashes->is_object()) {
    throw Error(ErrorKind::data,
                fmt::format("{} keeps no hashes of its files: it was not saved by weft, or by an "
                            "older one",
                            (folder / "meta.json").string()));
  }
  return check_files(folder, hashes->as_object(), "meta.json", kPipelineDocuments);
}

}  // namespace weft
