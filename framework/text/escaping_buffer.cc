#include "framework/text/escaping_buffer.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace weft {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr std::string_view kLineAbove = "\x1b[A\x1b[K";
constexpr std::string_view kCut = "…";

std::string erasure(int above) {
  std::string text(kEraseLine);
  for (int i = 0; i < above; ++i) text += kLineAbove;
  return text;
}

}  // namespace

EscapingBuffer::EscapingBuffer(std::streambuf& target, EscapeForm form, std::size_t longest_line)
    : target_(target), form_(form), longest_line_(longest_line) {}

// A sequence whose end never came is shown as the bytes that it is.
EscapingBuffer::~EscapingBuffer() {
  if (!unfinished_.empty()) static_cast<void>(show(std::exchange(unfinished_, {})));
}

bool EscapingBuffer::erase_line(int above) {
  line_ = 0;
  is_cut_ = false;
  return hand_on(erasure(above));
}

EscapingBuffer::int_type EscapingBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char written = traits_type::to_char_type(c);
  return write({&written, 1}) ? c : traits_type::eof();
}

std::streamsize EscapingBuffer::xsputn(const char* text, std::streamsize size) {
  return write({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int EscapingBuffer::sync() {
  return target_.pubsync();
}

bool EscapingBuffer::write(std::string_view text) {
  if (unfinished_.empty()) {
    const std::size_t left = unfinished_bytes(text);
    const bool good = show(text.substr(0, text.size() - left));
    unfinished_ = text.substr(text.size() - left);
    return good;
  }
  const std::string joined = std::exchange(unfinished_, {}).append(text);
  return write(joined);
}

bool EscapingBuffer::show(std::string_view text) {
  const std::string shown = printable_lines(text, form_);
  if (longest_line_ == 0) return hand_on(shown);
  for (std::string_view rest = shown; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!show_part_of_line(rest.substr(0, end))) return false;
    rest.remove_prefix(end);
    if (rest.empty()) break;
    if (!hand_on("\n")) return false;
    rest.remove_prefix(1);
    line_ = 0;
    is_cut_ = false;
  }
  return true;
}

bool EscapingBuffer::show_part_of_line(std::string_view part) {
  if (is_cut_) return true;
  const std::size_t room = longest_line_ - line_;
  if (part.size() <= room) {
    line_ += part.size();
    return hand_on(part);
  }
  is_cut_ = true;
  std::string_view kept = part.substr(0, room);
  kept.remove_suffix(unfinished_bytes(kept));
  return hand_on(kept) && hand_on(kCut);
}

bool EscapingBuffer::hand_on(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  return size == 0 || target_.sputn(text.data(), size) == size;
}

void erase_line(std::ostream& terminal, int above) {
  auto* buffer = dynamic_cast<EscapingBuffer*>(terminal.rdbuf());
  if (buffer == nullptr) {
    terminal << erasure(above);
  } else if (!buffer->erase_line(above)) {
    terminal.setstate(std::ios::badbit);
  }
}

}  // namespace weft
