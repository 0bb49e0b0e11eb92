#include "framework/ops/work_record.h"

#include <algorithm>
#include <utility>

namespace weft {

struct WorkRecord::Round {
  Clock::time_point start;
  std::size_t count = 0;
  double passed = 0;   // until its end, with the record's own work in it
  double seconds = 0;  // of its tasks
  std::vector<Task> tasks;
};

struct WorkRecord::Task {
  double watching = 0;  // outside of its rounds
  double own = 0;       // outside of its rounds, without `watching`
  double seconds = 0;   // with its rounds
  std::vector<Round> rounds;

  // It has taken so long, with the record's own work in it.
  void end(double passed) {
    own = passed - watching;
    for (const Round& round : rounds) own -= round.passed;
    own = std::max(own, 0.0);
    seconds = own;
    for (const Round& round : rounds) seconds += round.seconds;
  }
  double with(std::size_t threads) const;
};

struct WorkRecord::Frame {
  Task* task;
  Clock::time_point start;
  double divided_by;  // the tasks beside it and beside those that it is within
};

namespace {

thread_local WorkRecord* current = nullptr;

double seconds_between(WorkRecord::Clock::time_point start, WorkRecord::Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

// Each task goes to the thread that is free first.
double in_turn(const std::vector<double>& tasks, std::size_t threads) {
  std::vector<double> busy(threads, 0.0);
  for (const double task : tasks) *std::min_element(busy.begin(), busy.end()) += task;
  return *std::max_element(busy.begin(), busy.end());
}

template <class Task>
double round_with(const std::vector<Task>& tasks, std::size_t threads) {
  if (tasks.size() >= threads) {
    std::vector<double> alone;
    alone.reserve(tasks.size());
    for (const Task& task : tasks) alone.push_back(task.with(1));
    return in_turn(alone, threads);
  }
  double longest = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::size_t share = threads / tasks.size() + (i < threads % tasks.size() ? 1 : 0);
    longest = std::max(longest, tasks[i].with(share));
  }
  return longest;
}

}  // namespace

double WorkRecord::Task::with(std::size_t threads) const {
  if (threads == 1) return seconds;
  double all = own;
  for (const Round& round : rounds) all += round_with(round.tasks, threads);
  return all;
}

WorkRecord::WorkRecord(std::vector<int> threads, std::function<Clock::time_point()> now)
    : threads_(std::move(threads)), now_(std::move(now)), expected_(threads_.size(), 0.0) {}

WorkRecord::~WorkRecord() = default;

void WorkRecord::start() {
  root_ = std::make_unique<Task>();
  frames_ = {{root_.get(), now_(), 1.0}};
}

void WorkRecord::stop() {
  root_->end(seconds_between(frames_.front().start, now_()));
  seconds_ += root_->seconds;
  single_ += root_->own;
  for (double& expected : expected_) expected += root_->own;
  frames_.clear();
}

void WorkRecord::open_round(std::size_t count) {
  const auto start = now_();
  Task& task = *frames_.back().task;
  if (frames_.size() == 1 && !task.rounds.empty()) task.rounds.back().tasks = {};
  task.rounds.push_back({start, count, 0, 0, {}});
  task.rounds.back().tasks.reserve(count);  // the frames keep the addresses of tasks
}

void WorkRecord::close_round() {
  Round& round = frames_.back().task->rounds.back();
  for (const Task& task : round.tasks) round.seconds += task.seconds;
  if (frames_.size() == 1) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      expected_[i] += round_with(round.tasks, static_cast<std::size_t>(threads_[i]));
    }
  }
  round.passed = seconds_between(round.start, now_());
}

void WorkRecord::open_task() {
  Round& round = frames_.back().task->rounds.back();
  const double divided_by = frames_.back().divided_by * static_cast<double>(round.count);
  frames_.push_back({&round.tasks.emplace_back(), now_(), divided_by});
}

void WorkRecord::close_task() {
  const Frame frame = frames_.back();
  frame.task->end(seconds_between(frame.start, now_()));
  if (frame.divided_by == 1.0) single_ += frame.task->own;
  frames_.pop_back();
}

void WorkRecord::add_op(std::string_view layer, std::string_view op, Clock::duration time) {
  if (current == nullptr || current->threads_.empty()) return;
  const Frame& frame = current->frames_.back();
  const auto start = current->now_() - time;
  const auto most = static_cast<double>(current->threads_.back());
  const auto threads = static_cast<std::size_t>(std::max(1.0, most / frame.divided_by));
  double own = std::chrono::duration<double>(time).count(), rounds_with_most = 0;
  const std::vector<Round>& rounds = frame.task->rounds;
  for (auto round = rounds.rbegin(); round != rounds.rend() && round->start >= start; ++round) {
    own -= round->passed;
    rounds_with_most += round_with(round->tasks, threads);
  }
  own = std::max(own, 0.0);
  if (frame.divided_by == 1.0) current->single_in_ops_ += own;
  OpTime& sums = current->ops_[{std::string(layer), std::string(op)}];
  sums.undivided += own / frame.divided_by;
  sums.with_most += (own + rounds_with_most) / std::min(frame.divided_by, most);
}

WorkRecord::WatchScope::WatchScope() : record_(current) {
  if (record_ != nullptr) start_ = record_->now_();
}

WorkRecord::WatchScope::~WatchScope() {
  if (record_ == nullptr) return;
  record_->frames_.back().task->watching += seconds_between(start_, record_->now_());
}

WorkRecord::RoundScope::RoundScope(std::size_t count) : record_(current) {
  if (record_ != nullptr) record_->open_round(count);
}

WorkRecord::RoundScope::~RoundScope() {
  if (record_ != nullptr) record_->close_round();
}

WorkRecord::TaskScope::TaskScope() : record_(current) {
  if (record_ != nullptr) record_->open_task();
}

WorkRecord::TaskScope::~TaskScope() {
  if (record_ != nullptr) record_->close_task();
}

WorkRecordScope::WorkRecordScope(WorkRecord& record) {
  record.start();
  current = &record;
}

WorkRecordScope::~WorkRecordScope() {
  current->stop();
  current = nullptr;
}

}  // namespace weft
