#include "framework/training/jsonl_log.h"

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include <fmt/chrono.h>

#include "framework/pipeline/score_weights.h"
#include "framework/training/log_file.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// UTC.
std::string date_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Node json_of(const TrainingInfo& info) {
  Object losses;
  for (const auto& [name, loss] : info.losses) losses.set(name, loss);
  List checkpoints;
  for (const auto& [score, step] : info.checkpoints) checkpoints.push_back(List{score, step});
  Object time;
  time.set("date", date_now());
  time.set("seconds", info.seconds);
  time.set("words_per_second", info.words_per_second);
  Object scores = info.other_scores;
  if (const Node* speed = scores.find(kSpeedScore)) time.set("evaluation_words_per_second", *speed);
  scores.erase(kSpeedScore);
  Object line;
  line.set("epoch", info.epoch);
  line.set("step", info.step);
  line.set("score", info.score);
  line.set("scores", std::move(scores));
  line.set("losses", std::move(losses));
  line.set("words", info.words);
  line.set("learn_rate", info.learn_rate);
  line.set("checkpoints", std::move(checkpoints));
  if (!info.misaligned.empty()) line.set("misaligned", info.misaligned);
  for (const Object* more : {&info.precision, &info.gradients}) {
    for (const auto& [name, value] : *more) line.set(name, value);
  }
  line.set("time", std::move(time));
  return line;
}

class JsonlSession : public LogSession {
 public:
  explicit JsonlSession(std::unique_ptr<LogFile> file) : file_(std::move(file)) {}

  void evaluated(const TrainingInfo& info) override {
    file_->write_line(to_standard_json(json_of(info)));
  }
  Node position() override { return file_->position(); }

 private:
  std::unique_ptr<LogFile> file_;
};

class ChainSession : public LogSession {
 public:
  ChainSession(std::vector<std::unique_ptr<LogSession>> parts, RowOrder rows)
      : parts_(std::move(parts)), rows_(rows) {}

  void stepped(std::int64_t step) override {
    tell_all([&](LogSession& part) { part.stepped(step); });
  }
  void evaluated(const TrainingInfo& info) override {
    const auto tell = [&](LogSession& part) { part.evaluated(info); };
    if (rows_ == RowOrder::last_first) {
      tell_each(parts_.rbegin(), parts_.rend(), tell);
    } else {
      tell_all(tell);
    }
  }
  ProgressTarget progress_target() const override {
    for (const auto& part : parts_) {
      const ProgressTarget target = part->progress_target();
      if (target != ProgressTarget::unsaid) return target;
    }
    return ProgressTarget::unsaid;
  }
  Node position() override {
    List positions;
    for (const auto& part : parts_) positions.push_back(part->position());
    return positions;
  }
  void ended(LogEnd end) override {
    tell_all([&](LogSession& part) { part.ended(end); });
  }
  void finish() override {
    tell_all([](LogSession& part) { part.finish(); });
  }

 private:
  void tell_all(const auto& tell) { tell_each(parts_.begin(), parts_.end(), tell); }

  // Those behind one that throws are told too: its fault takes nothing away from them.
  static void tell_each(auto part, const auto& end, const auto& tell) {
    std::exception_ptr first;
    for (; part != end; ++part) {
      try {
        tell(**part);
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

  std::vector<std::unique_ptr<LogSession>> parts_;
  RowOrder rows_;
};

// The part of a chain's position that belongs to log number `i`; null if there is none.
const Node* part_of(const Node* resumed, std::size_t i) {
  if (resumed == nullptr || !resumed->is_list() || i >= resumed->as_list().size()) return nullptr;
  return &resumed->as_list()[i];
}

}  // namespace

Logger jsonl_log(std::filesystem::path file, LogFile::Start start) {
  return {[file = std::move(file), start](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<JsonlSession>(open_log(file, start, setup));
  }};
}

Logger chain_logs(std::vector<Logger> logs, RowOrder rows) {
  return {[logs = std::move(logs), rows](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    std::vector<std::unique_ptr<LogSession>> parts;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      LogSetup own = setup;
      own.resumed = part_of(setup.resumed, i);
      parts.push_back(logs[i].start(own));
    }
    return std::make_unique<ChainSession>(std::move(parts), rows);
  }};
}

}  // namespace weft
