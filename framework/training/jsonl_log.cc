#include "framework/training/jsonl_log.h"

#include <chrono>
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

}  // namespace

Logger jsonl_log(std::filesystem::path file, LogFile::Start start) {
  return {[file = std::move(file), start](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<JsonlSession>(open_log(file, start, setup));
  }};
}

}  // namespace weft
