// Opens files for reading so that a name which leads to something else than a file (a pipe that
// nobody writes to, a device that never ends, a file of holes) is an error and not a program that
// hangs or fills the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// The files that a name may stand for.
enum class Accepts {
  regular_files,  // parts of pipelines and checkpoints, plugins, tables
  open_pipes,     // also what is open already (/dev/stdin, /dev/fd/63), terminals and other devices
  all_pipes,      // also FIFOs: texts that the user names
};

// Whether something stands under that name, even if it cannot be read: opening it says why.
WEFT_API bool is_there(const std::filesystem::path& file);
// For a file that a setting names: throws Error(config) where nothing stands under that name.
WEFT_API void require_there(const std::filesystem::path& file);

// A file that is open for reading. Where the system refuses it throws Error(kind), with the file
// and the system's reason; for what is no regular file where one has to be, and for a file of
// holes, Error(data), or Error(kind) if that is not `system`.
class WEFT_API InputFile {
 public:
  // Never waits, but for the first writer of a FIFO, at most five seconds.
  explicit InputFile(std::filesystem::path file, Accepts accepts = Accepts::regular_files,
                     ErrorKind kind = ErrorKind::system);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  std::uint64_t size() const { return size_; }  // of a regular file when it was opened, in bytes
  int descriptor() const { return fd_; }

  // The next bytes, at most `size`; 0 at the end.
  std::size_t read(char* to, std::size_t size);
  // The same from `offset` on, for a regular file; the place of `read` stays.
  std::size_t read_at(char* to, std::size_t size, std::uint64_t offset) const;
  // All that is left. Throws Error(data), or Error(kind), where that is more than `most` bytes.
  std::string read_all(std::uint64_t most);
  // Throws like `read_all`.
  void refuse_more_than(std::uint64_t most) const;

 private:
  void check_kind(Accepts accepts);
  void refuse_holes() const;
  void wait_for_writer();
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void fail(int code) const;

  std::filesystem::path file_;
  ErrorKind kind_;
  int fd_ = -1;
  bool is_regular_ = false;
  std::uint64_t size_ = 0;
  std::optional<char> ahead_;  // read while waiting for a writer
};

// Throws as InputFile for a file that is not there or no regular one.
WEFT_API void require_regular(const std::filesystem::path& file);

}  // namespace weft
