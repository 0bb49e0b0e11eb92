// The folders that this process has under construction. A file written below one of them is reached
// from its descriptor, never through a link, and is synced once, when the folder is finished: a
// sync for each file costs far more than all at the end.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

class Construction {
 public:
  static Construction& all();

  // `folder` stays open until `end`.
  void begin(const std::filesystem::path& path, int folder);
  void end(const std::filesystem::path& path);

  struct Place {
    int folder;                  // under construction
    std::filesystem::path rest;  // of the path, below that
  };
  // Nothing for a path that is below none of them.
  std::optional<Place> find(const std::filesystem::path& path);
  bool holds(const std::filesystem::path& path) { return find(path).has_value(); }

 private:
  std::mutex mutex_;
  std::map<std::string, int> folders_;
};

// The folder that `path` is in. Throws Error(system).
Descriptor open_parent(const std::filesystem::path& path);

// Makes a folder and those that it is in, where they are missing. Throws Error(system), below a
// folder under construction also where a link stands in the way.
WEFT_API void make_folders(const std::filesystem::path& path);

}  // namespace weft
