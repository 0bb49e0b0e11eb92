#include "framework/training/jsonl_log.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "registry/error.h"
#include "registry/json.h"

namespace weft {
namespace {

Node json_of(const TrainingInfo& info) {
  Object losses;
  for (const auto& [name, loss] : info.losses) losses.set(name, loss);
  List checkpoints;
  for (const auto& [score, step] : info.checkpoints) checkpoints.push_back(List{score, step});
  Object time;
  time.set("seconds", info.seconds);
  time.set("words_per_second", info.words_per_second);
  Object line;
  line.set("epoch", info.epoch);
  line.set("step", info.step);
  line.set("score", info.score);
  line.set("scores", info.other_scores);
  line.set("losses", std::move(losses));
  line.set("words", info.words);
  line.set("checkpoints", std::move(checkpoints));
  line.set("time", std::move(time));
  return line;
}

class JsonlSession : public LogSession {
 public:
  JsonlSession(std::filesystem::path path, bool append)
      : path_(std::move(path)), file_(path_, append ? std::ios::app : std::ios::trunc) {
    check();
  }

  void evaluated(const TrainingInfo& info) override {
    file_ << to_json(json_of(info)) << '\n' << std::flush;
    check();
  }

 private:
  void check() {
    if (file_) return;
    throw Error(ErrorKind::system,
                fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
  }

  std::filesystem::path path_;
  std::ofstream file_;
};

class ChainSession : public LogSession {
 public:
  explicit ChainSession(std::vector<std::unique_ptr<LogSession>> parts)
      : parts_(std::move(parts)) {}

  void stepped(std::int64_t step) override {
    for (const auto& part : parts_) part->stepped(step);
  }
  void evaluated(const TrainingInfo& info) override {
    for (const auto& part : parts_) part->evaluated(info);
  }
  void finish() override {
    std::exception_ptr first;
    for (const auto& part : parts_) {
      try {
        part->finish();
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

 private:
  std::vector<std::unique_ptr<LogSession>> parts_;
};

}  // namespace

Logger jsonl_log(std::filesystem::path file, bool append) {
  return {[file = std::move(file), append](const LogSetup&) -> std::unique_ptr<LogSession> {
    return std::make_unique<JsonlSession>(file, append);
  }};
}

Logger chain_logs(std::vector<Logger> logs) {
  return {[logs = std::move(logs)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    std::vector<std::unique_ptr<LogSession>> parts;
    for (const Logger& log : logs) parts.push_back(log.start(setup));
    return std::make_unique<ChainSession>(std::move(parts));
  }};
}

}  // namespace weft
