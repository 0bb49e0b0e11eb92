#include "framework/io/atomic_file.h"

#include <utility>

#include "framework/io/construction.h"
#include "framework/io/file_sink.h"
#include "framework/io/files_below.h"
#include "framework/io/output_file.h"
#include "framework/io/system_error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

void copy_one(const fs::path& from, const fs::path& to) {
  InputFile source(from);
  OutputFile target(to);
  std::vector<char> buffer(std::size_t{1} << 18);
  while (const std::size_t got = source.read(buffer.data(), buffer.size())) {
    if (const int code = write_all(target.descriptor(), {buffer.data(), got})) {
      fail_on_file("write", to, code);
    }
  }
  target.commit();
}

// Links to files are copied all the same, as what they lead to.
void link_one(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (!fs::is_symlink(from, error)) fs::create_hard_link(from, to, error);
  if (error || !is_there(to)) copy_one(from, to);
}

// Calls put(from, to) for each file below `from`; `to` has its folders then.
template <class Put>
void put_files(const fs::path& from, const fs::path& to, const Put& put) {
  walk_below(from, [&](const fs::directory_entry& entry) {
    // By its name alone: fs::relative would resolve a link, and lead out of `to`.
    const fs::path target = to / entry.path().lexically_relative(from);
    if (!entry.is_symlink() && entry.is_directory()) {
      make_folders(target);
    } else {
      put(entry.path(), target);
    }
    return true;
  });
}

}  // namespace

void write_file(const fs::path& file, std::string_view bytes) {
  OutputFile output(file);
  if (const int code = write_all(output.descriptor(), bytes)) fail_on_file("write", file, code);
  output.commit();
}

std::string read_file(const fs::path& file, std::uint64_t most) {
  return InputFile(file).read_all(most);
}

AtomicFile::AtomicFile(fs::path target)
    : target_(std::move(target)),
      file_(std::make_unique<OutputFile>(target_)),
      sink_(std::make_unique<FileSink>(file_->descriptor())),
      stream_(sink_.get()) {}

AtomicFile::~AtomicFile() = default;

// The stream has a buffer of its own, so an error of the disk may show only now.
void AtomicFile::commit() {
  if (const int code = sink_->flush()) fail_on_file("write", target_, code);
  file_->commit();
}

void copy_files(const fs::path& from, const fs::path& to) {
  put_files(from, to, copy_one);
}

void link_files(const fs::path& from, const fs::path& to) {
  put_files(from, to, link_one);
}

}  // namespace weft
