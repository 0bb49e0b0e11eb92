// The folders that this process has under construction, or that a run writes. A file written below
// one of them is reached from its descriptor, never through a link, not even one that has taken the
// folder's own name. In a folder under construction files are synced once, when it is finished: a
// sync for each file costs far more than all at the end.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "framework/io/descriptor.h"
#include "framework/io/made_folders.h"
#include "registry/base/export.h"

namespace weft {

class Construction {
 public:
  static Construction& all();

  enum class Sync { at_the_end, of_each_file };

  // `folder` stays open until `end`; `around` are the folders that were made for it. `target`: the
  // path that it will get.
  void begin(const std::filesystem::path& path, int folder, MadeFolders around,
             const std::filesystem::path& target, Sync sync = Sync::at_the_end);
  // Gives `around` back, whose end removes those that are empty.
  MadeFolders end(const std::filesystem::path& path);

  struct Place {
    int folder;                  // under construction
    std::filesystem::path rest;  // of the path, below that
    Sync sync;
  };
  // Nothing for a path that is below none of them.
  std::optional<Place> find(const std::filesystem::path& path);
  // The path as users know it: below the folders that those under construction will be.
  std::filesystem::path shown(std::filesystem::path path);
  // Whether it is below one that is synced at its end.
  bool holds(const std::filesystem::path& path) {
    const auto place = find(path);
    return place && place->sync == Sync::at_the_end;
  }

 private:
  struct Built {
    int folder;
    MadeFolders around;
    std::filesystem::path target;
    Sync sync;
  };
  // The innermost one that the path is below; the end where there is none. Called with the lock.
  std::map<std::string, Built>::const_iterator around(const std::filesystem::path& path) const;

  std::mutex mutex_;
  std::map<std::string, Built> folders_;
};

// The folder that `path` is in. Throws Error(system).
Descriptor open_parent(const std::filesystem::path& path);

// The same for folders around an output, in the place of `make_folders`: below a folder under
// construction they are left to its end.
MadeFolders make_folders_around(const std::filesystem::path& output);

// Makes a folder and those that it is in, where they are missing. Throws Error(system), below a
// folder under construction also where a link stands in the way.
WEFT_API void make_folders(const std::filesystem::path& path);

}  // namespace weft
