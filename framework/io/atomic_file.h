// Files and folders that appear whole or not at all: written beside their final name, synced to the
// disk, then renamed. The names beside it cannot be guessed and never lead through links. A link
// under the final name is replaced itself; the file it leads to stays as it is. A FIFO or a device,
// and /dev/stdout, are written to directly (open_output.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

#include "framework/io/descriptor.h"
#include "framework/io/file_limits.h"
#include "registry/base/export.h"

namespace weft {

class FileSink;
class OutputFile;

// Writes `bytes` to `file`, replacing what was there in one step. Throws Error(system) with the
// file and the system's reason; the old file is then untouched.
WEFT_API void write_file(const std::filesystem::path& file, std::string_view bytes);

// The whole of a regular file of at most `most` bytes. Throws Error(system) with the file and the
// system's reason, Error(data) for a file that is larger and for what is no regular file.
WEFT_API std::string read_file(const std::filesystem::path& file, std::uint64_t most = kMostTable);

// A file under construction, for content that comes piece by piece. It appears as `target` with
// `commit`, which replaces a file of that name; without it, nothing is left.
class WEFT_API AtomicFile {
 public:
  // Throws Error(system).
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() { return stream_; }
  // Throws Error(system) also for what went wrong while the stream was written.
  void commit();

 private:
  std::filesystem::path target_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<FileSink> sink_;
  std::ostream stream_;
};

// Copies all below the folder `from` into `to`, which exists. Links to files are copied as what
// they lead to. Throws Error(system) with the file and the system's reason, Error(data) for what is
// neither file nor folder.
WEFT_API void copy_files(const std::filesystem::path& from, const std::filesystem::path& to);

// The same, for files that nobody changes in place: where the file system lets them have two names
// nothing is copied.
WEFT_API void link_files(const std::filesystem::path& from, const std::filesystem::path& to);

// A folder under construction. Files written below `path()` become visible as `target` with
// `commit`, which replaces a folder of that name; without it, everything is removed again.
class WEFT_API AtomicFolder {
 public:
  // Creates the folder under construction beside `target` (parents included). Throws Error(system).
  explicit AtomicFolder(std::filesystem::path target);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Throws Error(system); the old folder is then still there. Error(usage), with everything as it
  // is, where a folder with something in it stands there now that did not stand there, or had
  // nothing in it, when the construction began. Where the file system cannot exchange
  // two folders (renameat2), there is a moment in which neither stands under that name:
  // `clear_leftovers` repairs what a process that ended just then left.
  void commit();
  // The same, but the folder that is replaced gets the name `keep`, a path beside the new one, in
  // the place of what had that name.
  void commit_and_keep(const std::filesystem::path& keep);

 private:
  void create();
  void sync_all() const;
  // Throws where another folder stands under the name of the one that is being built.
  void check_own() const;
  // Gives the folder its name; false if none had it before, else `temporary_` is the old one now.
  bool take_place();
  // The two folders change places in one step, or one after the other.
  void exchange();
  // Whether the folder of that name is one that was there to be replaced, an empty one or a link.
  bool is_replaceable(const std::string& name) const;
  void rename_in(const std::string& from, const std::string& to) const;

  std::filesystem::path target_;
  std::filesystem::path path_;
  std::string name_;       // of the target in `parent_`
  std::string temporary_;  // name of the folder under construction, or of the one it replaced
  Descriptor parent_;
  Descriptor own_;
  std::optional<std::pair<dev_t, ino_t>> replaced_;  // a folder with something in it
  std::optional<unsigned> mode_;  // of the finished folder; nobody else may look into it before
  bool committed_ = false;
};

// Of files and folders below `folder` (not deeper) that were being written when their process
// ended: puts back an old version that was about to be replaced and removes the others. Links, and
// files of neither this user nor the folder's owner, are left alone. Nobody else may be
// writing there. Throws Error(system) where something cannot be renamed.
WEFT_API void clear_leftovers(const std::filesystem::path& folder);

}  // namespace weft
