#include "framework/training/console_log.h"

#include <memory>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "framework/io/construction.h"
#include "framework/io/open_below.h"
#include "framework/pipeline/score_weights.h"
#include "framework/training/log_file.h"
#include "framework/training/score_table.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"

namespace weft {
namespace {

class ConsoleSession : public LogSession {
 public:
  ConsoleSession(const ConsoleLogOptions& options, const LogSetup& setup)
      : options_(options), setup_(setup), table_(setup.loss_names, setup.score_names) {
    if (options.file) open_file(*options.file);
    if (options.table) setup_.out << table_.header() << std::flush;
  }

  void evaluated(const TrainingInfo& info) override {
    if (file_) file_->write_line(to_standard_json(json_of(info)));
    if (options_.table) setup_.out << table_.row(info) << std::flush;
  }

  Node position() override { return file_ ? file_->position() : Node(); }

  ProgressTarget progress_target() const override { return options_.progress; }

 private:
  // A file that somebody else left is left alone, and so is it when the run goes on later.
  void open_file(const std::filesystem::path& path) {
    const bool resumed = setup_.resumed != nullptr && !setup_.resumed->is_null();
    std::error_code unknown;
    if (!resumed && is_there(path) && !std::filesystem::is_empty(path, unknown)) {
      setup_.out << fmt::format("the log is not saved: {} exists already\n", path.string());
      return;
    }
    const bool is_below = !setup_.output.empty() && !path_below(setup_.output, path).empty();
    if (!is_below && path.has_parent_path()) make_folders(path.parent_path());
    file_ = open_log(path, LogFile::Start::replace, setup_);
    setup_.out << fmt::format("saving the log to {}\n", path.string());
  }

  Node json_of(const TrainingInfo& info) const {
    Object losses;
    for (const std::string& name : setup_.loss_names) {
      const auto loss = info.losses.find(name);
      losses.set(name, loss == info.losses.end() ? 0.0 : loss->second);
    }
    Object scores;
    for (const std::string& name : setup_.score_names) {
      const Node* score = info.other_scores.find(name);
      const double value = score == nullptr ? 0.0 : number_or_zero(*score);
      scores.set(name, is_fraction(name) ? value * 100.0 : value);
    }
    Object line;
    line.set("epoch", info.epoch);
    line.set("step", info.step);
    line.set("losses", std::move(losses));
    line.set("scores", std::move(scores));
    line.set("score", info.score);
    return line;
  }

  ConsoleLogOptions options_;
  LogSetup setup_;
  ScoreTable table_;
  std::unique_ptr<LogFile> file_;
};

}  // namespace

Logger console_log(ConsoleLogOptions options) {
  return {[options = std::move(options)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<ConsoleSession>(options, setup);
  }};
}

}  // namespace weft
