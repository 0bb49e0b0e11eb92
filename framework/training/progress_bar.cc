#include "framework/training/progress_bar.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/text/escaping_buffer.h"

namespace weft {
namespace {

constexpr int kBarWidth = 30;
constexpr std::chrono::milliseconds kBetweenDraws{100};

}  // namespace

ProgressBar::ProgressBar(std::ostream& terminal, std::string title, std::int64_t done,
                         std::int64_t total)
    : terminal_(terminal),
      title_(std::move(title)),
      done_(done),
      total_(total),
      first_(done),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_ - kBetweenDraws) {
  draw();
}

ProgressBar::~ProgressBar() {
  erase_line(terminal_);
  terminal_ << std::flush;
}

void ProgressBar::advance() {
  ++done_;
  draw();
}

void ProgressBar::draw() {
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < kBetweenDraws) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_ - first_) / seconds : 0.0;
  erase_line(terminal_);
  if (total_ <= 0) {
    terminal_ << fmt::format("{}: {} [{:.1f} steps/s]", title_, done_, rate);
  } else {
    const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    const int filled = static_cast<int>(share * kBarWidth);
    terminal_ << fmt::format("{}: {:3.0f}% |{:#<{}}{: <{}}| {}/{} [{:.1f} steps/s]", title_,
                             share * 100.0, "", filled, "", kBarWidth - filled, done_, total_,
                             rate);
  }
  terminal_ << std::flush;
}

}  // namespace weft
