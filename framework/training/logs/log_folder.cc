#include "framework/training/logs/log_folder.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "framework/io/open_below.h"
#include "registry/base/error.h"
#include "registry/value/members.h"

namespace weft {
namespace fs = std::filesystem;

LogFolder::LogFolder(fs::path folder, const LogSetup& setup)
    : folder_(std::move(folder)), root_(setup.output), setup_(setup) {
  if (folder_.empty()) throw Error(ErrorKind::usage, "a logger's folder has no name");
  if (!root_.empty()) below_ = path_below(root_, folder_);
  if (!below_.empty()) return;
  root_ = folder_;
  std::error_code error;
  fs::create_directories(root_, error);
  if (error) {
    throw Error(ErrorKind::system,
                fmt::format("cannot create the folder {}: {}", root_.string(), error.message()));
  }
}

std::unique_ptr<LogFile> LogFolder::open(const fs::path& name, LogFile::Start start,
                                         const Node* position) const {
  LogSetup own = setup_;
  own.output = root_;
  own.resumed = position;
  return open_log(root_ / below_ / name, start, own);
}

std::unique_ptr<LogFile> LogFolder::open_frames(const fs::path& name, const Node* position) const {
  std::unique_ptr<LogFile> file = open(name, LogFile::Start::fresh, position);
  if (!file->complete() && file->length() > 0) {
    throw Error(ErrorKind::data, fmt::format("{} is shorter than the run left it; move it away to "
                                             "go on in a new one",
                                             file->path().string()));
  }
  return file;
}

void LogFolder::put(const fs::path& name, std::string_view bytes) const {
  open(name, LogFile::Start::replace, nullptr)->write(bytes);
}

void LogFolder::keep_only(const fs::path& name, const std::set<std::string>& kept) const {
  if (!below_.empty()) keep_only_below(root_, below_ / name, kept);
}

void LogFolder::replace(const fs::path& name, std::string_view bytes) const {
  replace_below(root_, below_ / name, bytes);
}

void LogFolder::make(const fs::path& name) const {
  make_folder_below(root_, below_ / name);
}

bool LogFolder::has(const fs::path& name) const {
  return exists_below(root_, below_ / name);
}

const Node* value_at(const Node* node, std::string_view key) {
  return node != nullptr && node->is_object() ? node->as_object().find(key) : nullptr;
}

std::string text_at(const Node* node, std::string_view key) {
  return node != nullptr && node->is_object() ? text_at(node->as_object(), key) : std::string();
}

std::int64_t count_at(const Node* node, std::string_view key) {
  return node != nullptr && node->is_object() ? count_at(node->as_object(), key) : 0;
}

void fail_position(const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("the checkpoint has no valid place in {}", what));
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace weft
