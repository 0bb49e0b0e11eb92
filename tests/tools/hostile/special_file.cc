#include "tests/tools/hostile/special_file.h"

#include <stdexcept>

#include <sys/stat.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

void put_fifo(const fs::path& name) {
  if (::mkfifo(name.c_str(), 0600) != 0) throw std::runtime_error("cannot make a FIFO");
}

void put_socket(const fs::path& name) {
  if (::mknod(name.c_str(), S_IFSOCK | 0600, 0) != 0)
    throw std::runtime_error("cannot make a socket");
}

void put_holes(const fs::path& name, std::uintmax_t bytes) {
  write_text(name, "{}");
  fs::resize_file(name, bytes);
}

}  // namespace

const std::vector<std::string>& special_kinds() {
  static const std::vector<std::string> kinds = {"fifo",   "zero",       "urandom",
                                                 "folder", "loop",       "socket",
                                                 "holes",  "more holes", "fifo behind a link"};
  return kinds;
}

void put_special(const std::string& kind, const fs::path& name, const fs::path& far) {
  fs::remove_all(name);
  if (kind == "fifo") put_fifo(name);
  if (kind == "zero" || kind == "urandom") fs::create_symlink("/dev/" + kind, name);
  if (kind == "folder") fs::create_directories(name / "below");
  if (kind == "loop") fs::create_symlink(name.filename(), name);
  if (kind == "socket") put_socket(name);
  if (kind == "holes") put_holes(name, std::uintmax_t{3} << 30);
  if (kind == "more holes") put_holes(name, std::uintmax_t{1} << 40);
  if (kind == "fifo behind a link") {
    fs::remove_all(far);
    fs::create_directories(far);
    put_fifo(far / "fifo");
    fs::create_symlink(far / "fifo", name);
  }
}

}  // namespace weft::testing_tools
