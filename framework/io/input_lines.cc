#include "framework/io/input_lines.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "framework/io/text_beginning.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

}  // namespace

InputLines::InputLines(InputStream stream, const std::string& name, std::size_t longest)
    : name_(std::make_shared<const std::string>(name)),
      file_(std::move(stream)),
      longest_(longest),
      buffer_(kBufferBytes) {}

bool InputLines::refill() {
  if (ended_) return false;
  at_ = end_ = 0;
  ended_ = is_cut_ = true;  // unless the bytes come: behind damage there is nothing to read
  const std::size_t got = file_.read(buffer_.data(), buffer_.size());
  if (is_beginning_) refuse_other_bytes({buffer_.data(), got}, *name_);
  is_beginning_ = false;
  end_ = got;
  is_cut_ = false;
  ended_ = end_ == 0;
  return !ended_;
}

void InputLines::refuse_line() {
  ended_ = is_cut_ = true;
  at_ = end_;
  throw Error(ErrorKind::data, fmt::format("a line of more than {} MiB", longest_ >> 20),
              Origin::file(name_, static_cast<int>(number_ + 1), 1));
}

std::string_view InputLines::peek() {
  if (at_ == end_ && !refill()) return {};
  return {buffer_.data() + at_, end_ - at_};
}

bool InputLines::next(std::string& line) {
  line.clear();
  bool any = false;
  while (at_ < end_ || refill()) {
    any = true;
    const char* start = buffer_.data() + at_;
    const auto* found = static_cast<const char*>(std::memchr(start, '\n', end_ - at_));
    const std::size_t size =
        found != nullptr ? static_cast<std::size_t>(found - start) : end_ - at_;
    if (line.size() + size > longest_) refuse_line();
    line.append(start, size);
    at_ += size + (found != nullptr ? 1 : 0);
    if (found != nullptr) break;
  }
  if (any && ++number_ == 1 && line.starts_with(kByteOrderMark)) {
    line.erase(0, kByteOrderMark.size());
  }
  return any;
}

}  // namespace weft
