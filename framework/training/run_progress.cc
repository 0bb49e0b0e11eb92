#include "framework/training/run_progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace weft {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string rate_text(double rate, std::string_view thing, std::string_view things) {
  if (rate >= 10.0) return fmt::format("{:.0f} {}/s", rate, things);
  if (rate >= 1.0) return fmt::format("{:.1f} {}/s", rate, things);
  return fmt::format("{:.1f} s/{}", 1.0 / rate, thing);
}

std::string share_text(double share) {
  return fmt::format("{:.0f}%", std::floor(std::clamp(share, 0.0, 1.0) * 100.0));
}

}  // namespace

// Samples that lie wholly before the window are dropped; at least one stays, so that there is a
// rate after one long step.
void MovingRate::add(double count, double seconds) {
  samples_.emplace_back(count, seconds);
  count_ += count;
  seconds_ += seconds;
  while (samples_.size() > 1 && seconds_ - samples_.front().second >= window_) {
    count_ -= samples_.front().first;
    seconds_ -= samples_.front().second;
    samples_.pop_front();
  }
}

std::string duration_text(double seconds) {
  constexpr double kMost = 3.0e9;  // a hundred years
  const auto whole = static_cast<std::int64_t>(std::clamp(seconds, 0.0, kMost) + 0.5);
  const std::int64_t days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
  if (days > 0) return fmt::format("{}d {:02}:{:02}", days, hours, minutes);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

RunProgress::RunProgress(std::ostream& terminal, std::function<int()> width, Clock clock)
    : clock_(clock ? std::move(clock) : Clock(seconds_now)), line_(terminal, std::move(width)) {}

void RunProgress::reading(const std::string& corpus, std::int64_t documents) {
  if (has_begun_) return;
  line_.show(
      {.texts = {fmt::format("reading [{}]", corpus), fmt::format("{} documents", documents)}});
}

void RunProgress::begin() {
  has_begun_ = true;
  line_.show({.texts = {"first step"}}, true);
}

void RunProgress::begin_step() {
  step_began_ = clock_();
}

void RunProgress::stepped(const RunStand& stand) {
  steps_.add(1.0, clock_() - step_began_);
  line_.show(training_parts(stand));
}

ProgressParts RunProgress::training_parts(const RunStand& stand) const {
  const bool to_evaluation = target_ == ProgressTarget::next_evaluation;
  const auto step = static_cast<double>(stand.step);
  const double every = static_cast<double>(stand.eval_frequency);
  const double next = (std::floor(step / every) + 1.0) * every;
  ProgressParts parts;
  std::optional<double> left;
  if (to_evaluation) {
    parts.texts.push_back(fmt::format("step {}, evaluation at {:.0f}", stand.step, next));
    parts.share = 1.0 - (next - step) / every;
    left = next - step;
  } else if (stand.last_step) {
    const double last = std::max(*stand.last_step, step);
    parts.texts.push_back(fmt::format("step {}/{:.0f}", stand.step, last));
    parts.share = last > 0.0 ? step / last : 1.0;
    left = last - step;
  } else {
    parts.texts.push_back(fmt::format("step {}", stand.step));
  }
  const double rate = steps_.rate();
  if (left) parts.texts.push_back(share_text(parts.share));
  if (left && rate > 0.0) {
    // Evaluations take their time too: those before the end, the last step's included.
    const double evaluations =
        to_evaluation ? 0.0 : std::floor((step + *left) / every) - std::floor(step / every);
    const double seconds = *left / rate + evaluations * evaluation_seconds_;
    const bool is_bound = stand.may_end_sooner && !to_evaluation;
    parts.texts.push_back((is_bound ? "at most " : "") + duration_text(seconds) + " left");
  }
  if (rate > 0.0) parts.texts.push_back(rate_text(rate, "step", "steps"));
  parts.texts.push_back(fmt::format("epoch {}", stand.epoch));
  return parts;
}

void RunProgress::begin_evaluation(std::int64_t documents) {
  evaluation_began_ = evaluated_at_ = clock_();
  to_evaluate_ = documents;
  evaluated_ = 0;
  documents_ = MovingRate();
  line_.show({.texts = {"evaluating"}}, true);
}

void RunProgress::evaluated(std::int64_t documents) {
  if (documents == evaluated_) return;
  const double now = clock_();
  documents_.add(static_cast<double>(documents - evaluated_), now - evaluated_at_);
  evaluated_at_ = now;
  evaluated_ = documents;
  ProgressParts parts;
  const double rate = documents_.rate();
  if (to_evaluate_ > 0) {
    const double left = static_cast<double>(std::max<std::int64_t>(0, to_evaluate_ - documents));
    parts.share = static_cast<double>(documents) / static_cast<double>(to_evaluate_);
    parts.texts = {fmt::format("evaluating {}/{}", documents, to_evaluate_),
                   share_text(parts.share)};
    if (rate > 0.0) parts.texts.push_back(duration_text(left / rate) + " left");
  } else {
    parts.texts = {fmt::format("evaluating {} documents", documents)};
  }
  if (rate > 0.0) parts.texts.push_back(rate_text(rate, "document", "documents"));
  line_.show(parts);
}

void RunProgress::end_evaluation() {
  evaluation_seconds_ = clock_() - evaluation_began_;
  line_.clear();
}

}  // namespace weft
