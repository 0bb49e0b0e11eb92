#include "framework/training/progress_line.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/text/escaping_buffer.h"

namespace weft {
namespace {

constexpr std::chrono::milliseconds kBetweenDraws{100};
constexpr std::size_t kLeastBar = 8;  // columns between its edges
constexpr std::size_t kMostBar = 30;
constexpr std::string_view kGap = "  ";

std::string bar_of(double share, std::size_t columns) {
  const auto filled =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(columns));
  return fmt::format("[{:#<{}}{:.<{}}]", "", filled, "", columns - filled);
}

}  // namespace

std::string fitted_line(const ProgressParts& parts, std::size_t width) {
  std::string line;
  for (const std::string& text : parts.texts) {
    const std::size_t gap = line.empty() ? 0 : kGap.size();
    if (line.size() + gap + text.size() > width) break;
    if (gap > 0) line += kGap;
    line += text;
  }
  if (line.empty() && !parts.texts.empty()) return parts.texts.front().substr(0, width);
  const std::size_t edges = kGap.size() + 2;
  if (parts.share < 0.0 || line.size() + edges + kLeastBar > width) return line;
  const std::size_t columns = std::min(kMostBar, width - line.size() - edges);
  return line + std::string(kGap) + bar_of(parts.share, columns);
}

ProgressLine::ProgressLine(std::ostream& terminal, std::function<int()> width)
    : terminal_(terminal), width_(std::move(width)) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(const ProgressParts& parts, bool at_once) {
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (in_text_ || (!at_once && now - drawn_at_ < kBetweenDraws)) return;
  if (!at_once) drawn_at_ = now;  // short evaluations shall not keep the line of a run away
  erase();
  const int width = width_();
  const std::string line =
      fitted_line(parts, width > 1 ? static_cast<std::size_t>(width) - 1 : std::size_t{0});
  terminal_ << line << std::flush;
  drawn_columns_ = line.size();
}

void ProgressLine::clear() {
  const std::scoped_lock lock(mutex_);
  if (drawn_columns_ == 0) return;
  erase();
  terminal_ << std::flush;
}

// A terminal that became narrower since has broken the line into several.
void ProgressLine::erase() {
  if (drawn_columns_ == 0) return;
  const auto width = static_cast<std::size_t>(std::max(1, width_()));
  erase_line(terminal_, static_cast<int>((drawn_columns_ - 1) / width));
  drawn_columns_ = 0;
}

bool ProgressLine::write_above(std::streambuf& target, std::string_view text) {
  if (text.empty()) return true;
  const std::scoped_lock lock(mutex_);
  if (drawn_columns_ > 0) {
    erase();
    terminal_ << std::flush;
  }
  in_text_ = text.back() != '\n';
  const auto size = static_cast<std::streamsize>(text.size());
  return target.sputn(text.data(), size) == size;
}

ProgressLine::Above::Above(std::ostream& target, ProgressLine& line)
    : std::ostream(nullptr), buffer_(*target.rdbuf(), line) {
  rdbuf(&buffer_);
}

ProgressLine::Above::Buffer::int_type ProgressLine::Above::Buffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char written = traits_type::to_char_type(c);
  return line_.write_above(target_, {&written, 1}) ? c : traits_type::eof();
}

std::streamsize ProgressLine::Above::Buffer::xsputn(const char* text, std::streamsize size) {
  return line_.write_above(target_, {text, static_cast<std::size_t>(size)}) ? size : 0;
}

int ProgressLine::Above::Buffer::sync() {
  return target_.pubsync();
}

}  // namespace weft
