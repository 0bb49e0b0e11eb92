#include "framework/text/format_sign.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/descriptor.h"
#include "framework/io/text_beginning.h"
#include "framework/text/records/entity_tag.h"

namespace weft {
namespace {

constexpr std::size_t kMost = std::size_t{16} << 10;
constexpr std::chrono::milliseconds kPause{10};
constexpr std::chrono::seconds kLongestWait{2};  // behind the first bytes, for the end of a line

// The descriptor that a name of what is open stands for; -1 for other names.
int open_descriptor(std::string_view path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view number = path.substr(folder.size());
    const bool digits =
        !number.empty() && number.size() < 9 &&
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::stoi(std::string(number)) : -1;
  }
  return -1;
}

// Copies what stands in a pipe into another one, from where it is read. Waits for the first byte.
std::string copy_of_pipe(int fd) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "";
  Descriptor from(ends[0]), to(ends[1]);
  ssize_t copied = 0;
  do {
    copied = ::tee(fd, to.get(), kMost, 0);
  } while (copied < 0 && errno == EINTR);
  if (copied <= 0) return "";
  std::string bytes(static_cast<std::size_t>(copied), '\0');
  const ssize_t got = ::read(from.get(), bytes.data(), bytes.size());
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

std::size_t count(std::string_view text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

std::string_view of_line(std::string_view line) {
  if (count(line, '\t') == 9) return "conllu";
  if (line.starts_with("-DOCSTART-")) return "conll";
  const std::size_t last = line.find_last_of("\t ");
  const bool columns = count(line, '\t') <= 3 && count(line, ' ') <= 3;
  if (last != line.npos && columns && is_entity_tag(line.substr(last + 1))) return "conll";
  const std::string_view first = line.substr(0, line.find(' '));
  const std::size_t bar = first.rfind('|');
  if (bar != first.npos && bar > 0 && is_entity_tag(first.substr(bar + 1))) return "iob";
  return "text";
}

}  // namespace

bool is_open_already(std::string_view path) {
  return open_descriptor(path) >= 0;
}

std::string first_bytes(const std::string& path) {
  const int fd = open_descriptor(path);
  struct stat facts {};
  if (fd < 0 || ::fstat(fd, &facts) != 0) return "";
  if (S_ISREG(facts.st_mode)) {
    std::string bytes(kMost, '\0');
    const ssize_t got = ::pread(fd, bytes.data(), bytes.size(), 0);
    bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return bytes;
  }
  if (!S_ISFIFO(facts.st_mode)) return "";
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  std::string bytes = copy_of_pipe(fd);
  while (!bytes.empty() && bytes.size() < kMost && bytes.find('\n') == bytes.npos &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kPause);
    std::string more = copy_of_pipe(fd);
    if (more.size() == bytes.size()) continue;
    bytes = std::move(more);
  }
  return bytes;
}

std::string_view converter_for_bytes(std::string_view begin) {
  if (begin.starts_with(kByteOrderMark)) begin.remove_prefix(kByteOrderMark.size());
  constexpr char kZlib = 0x78;  // deflate with a window of 32 KiB, which nothing else begins with
  const bool zlib =
      begin.size() > 1 && begin[0] == kZlib &&
      (static_cast<unsigned char>(begin[0]) * 256U + static_cast<unsigned char>(begin[1])) % 31 ==
          0 &&
      (static_cast<unsigned char>(begin[1]) < 0x20 || static_cast<unsigned char>(begin[1]) > 0x7E);
  if (zlib) return "spacy";
  bool comments = false;
  while (!begin.empty()) {
    std::string_view line = begin.substr(0, begin.find('\n'));
    begin.remove_prefix(std::min(begin.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == line.npos) continue;
    if (line[first] == '{') return "jsonl";
    if (line[first] == '[') {
      const bool paragraphs =
          line.find("\"paragraphs\"") != line.npos || begin.find("\"paragraphs\"") != begin.npos;
      return paragraphs ? "json" : "jsonl";
    }
    if (line.starts_with("# ") && !comments) {
      comments = line.starts_with("# sent_id") || line.starts_with("# newdoc") ||
                 line.starts_with("# text =") || line.starts_with("# global.columns");
      if (comments) continue;
    }
    if (comments && line.starts_with('#')) continue;
    return of_line(line);
  }
  return comments ? "conllu" : "text";
}

}  // namespace weft
