#include "framework/io/seekable_input.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "framework/io/file_limits.h"
#include "framework/io/file_sink.h"
#include "framework/io/input_stream.h"
#include "framework/io/read_budget.h"
#include "framework/io/system_error.h"
#include "framework/io/temporary_folder.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kStep = std::size_t{1} << 18;

// Nobody else can open it, and it is gone with the process.
Descriptor nameless_file(const fs::path& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  // Some file systems have none without a name.
  std::string name = (folder / "weft-input-XXXXXX").string();
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) fail_on_file("write a temporary file in", folder, errno);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

SeekableInput::SeekableInput(std::string file, Inflated inflate) : path_(std::move(file)) {
  std::error_code unknown;  // opening the file says why
  const bool is_compressed = compression_of(path_) != Compression::none;
  const bool is_pipe = fs::is_fifo(path_, unknown) || fs::is_socket(path_, unknown);
  if (is_pipe || (is_compressed && inflate == Inflated::yes)) copy(std::string(path_));
}

void SeekableInput::copy(const std::string& file) {
  InputStream input(file);
  const fs::path folder = temporary_folder();
  copy_ = nameless_file(folder);
  const bool grows = compression_of(file) != Compression::none;
  const std::uint64_t most = grows ? ReadBudget(file).limit() : kMostArrayBytes;
  std::vector<char> buffer(kStep);
  std::uint64_t size = 0;
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) {
    size += got;
    if (size > most) {
      throw Error(ErrorKind::data, fmt::format("{} holds more than {} bytes", file, most));
    }
    if (const int code = write_all(copy_.get(), {buffer.data(), got})) {
      fail_on_file("write a temporary file in", folder, code);
    }
  }
  path_ = "/proc/self/fd/" + std::to_string(copy_.get());
}

}  // namespace weft
