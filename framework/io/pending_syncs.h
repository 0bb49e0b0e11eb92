// Files and folders that wait to be put on the disk, so that they get there together.
#pragma once

#include <filesystem>
#include <vector>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

// A journaling file system makes one commit for all syncs that wait at the same time, and one for
// each where they come one after the other: a folder of 30 files and folders takes 15 ms instead of
// 140 where other programs write to the disk (ext4 on a virtual one), 6 to 16 instead of 10 to 28
// in quiet minutes. So threads of their own ask for several at once. Which of those that are added
// together lasts first is open.
class WEFT_API PendingSyncs {
 public:
  // Take an open file or folder. Where there are many, they are put on the disk at once as `flush`
  // does, so that few descriptors are open.
  void add_file(Descriptor file, std::filesystem::path shown_as);
  void add_folder(Descriptor folder, std::filesystem::path shown_as);
  // Puts all that were added on the disk, and closes them. Throws Error(system) for the first of
  // those that failed, in the order in which they were added.
  void flush();

 private:
  struct Entry {
    Descriptor opened;
    std::filesystem::path shown_as;
    bool is_folder = false;
    int code = 0;  // an errno
  };

  void add(Entry entry);

  std::vector<Entry> entries_;
};

}  // namespace weft
