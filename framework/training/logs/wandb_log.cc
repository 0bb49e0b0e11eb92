#include "framework/training/logs/wandb_log.h"

#include <algorithm>
#include <ctime>
#include <ostream>
#include <regex>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "framework/io/random_letters.h"
#include "framework/io/record_frames.h"
#include "framework/text/printable.h"
#include "framework/training/logs/custom_stats.h"
#include "framework/training/logs/log_folder.h"
#include "framework/training/logs/logged_config.h"
#include "framework/training/logs/logged_values.h"
#include "framework/training/logs/wandb_records.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kIdLength = 8;
constexpr std::size_t kLongestProject = 128;

// W&B's own rules, which it applies when the run is uploaded: that would be late to hear of them.
void check_project(const std::string& name) {
  const bool bad = name.find_first_of("/\\#?%:") != name.npos || printable(name) != name;
  if (!name.empty() && name.size() <= kLongestProject && !bad) return;
  throw Error(
      ErrorKind::config,
      fmt::format("project_name: W&B takes 1 to {} characters, none of them / \\ # ? % : or "
                  "a control character, not {}",
                  kLongestProject, to_json_string(shortened(name, kLongestQuote))));
}

bool is_run(const std::string& folder, const std::string& id) {
  static const std::regex& form = *new std::regex("offline-run-[0-9]{8}_[0-9]{6}-([a-z0-9]{8})");
  std::smatch found;
  return std::regex_match(folder, found, form) && found[1] == id;
}

std::vector<WandbItem> items_of(const std::vector<LoggedValue>& values) {
  std::vector<WandbItem> items;
  items.reserve(values.size());
  for (const LoggedValue& value : values) items.emplace_back(value.path, value.value);
  return items;
}

class WandbSession : public LogSession {
 public:
  WandbSession(const WandbOptions& options, const LogSetup& setup)
      : options_(options),
        setup_(setup),
        custom_("log_custom_stats", options.log_custom_stats),
        folder_(options.folder, setup) {
    check_project(options.project);
    Object config;
    if (setup.config != nullptr) {
      config = logged_config(*setup.config, options.remove_config_values);
    }
    const bool resumes = setup.resumed != nullptr && !setup.resumed->is_null();
    if (resumes) {
      take_up(*setup.resumed);
    } else {
      draw_run();
    }
    file_ = folder_.open_frames(std::filesystem::path(name_) / ("run-" + run_.id + ".wandb"),
                                resumes ? value_at(setup.resumed, "log") : nullptr);
    folder_.make(std::filesystem::path(name_) / "files");  // `wandb sync` puts files there
    if (file_->length() == 0) begin(config);
  }

  void evaluated(const TrainingInfo& info) override {
    const double now = seconds_now();
    std::vector<WandbItem> items = items_of(logged_values(info));
    add_custom(info, items);
    items.push_back({{"_step"}, info.step});
    items.push_back({{"_timestamp"}, now});
    items.push_back({{"_runtime"}, now - run_.started});
    write(wandb_history_record(++records_, info.step, items));
    // With every row, so that a run that is killed has one too.
    write(wandb_summary_record(++records_, items));
  }

  Node position() override {
    Object position;
    position.set("folder", name_);
    position.set("id", run_.id);
    position.set("started", run_.started);
    position.set("records", records_);
    position.set("log", file_->position());
    return position;
  }

  void ended(LogEnd end) override { end_ = end; }

  void finish() override {
    write(wandb_exit_record(++records_, end_ == LogEnd::finished ? 0 : 1,
                            seconds_now() - run_.started));
    static_cast<void>(file_->position());
    setup_.err << fmt::format("W&B takes the run with: wandb sync {}\n",
                              (folder_.path() / name_).string());
  }

 private:
  void draw_run() {
    run_.id = random_letters("abcdefghijklmnopqrstuvwxyz0123456789", kIdLength);
    run_.started = seconds_now();
    const auto start = static_cast<std::time_t>(run_.started);
    name_ = fmt::format("offline-run-{:%Y%m%d_%H%M%S}-{}", fmt::localtime(start), run_.id);
  }

  void take_up(const Node& position) {
    name_ = text_at(&position, "folder");
    run_.id = text_at(&position, "id");
    records_ = count_at(&position, "records");
    const Node* started = value_at(&position, "started");
    if (!is_run(name_, run_.id) || records_ < 0 || started == nullptr || !started->is_float() ||
        value_at(&position, "log") == nullptr) {
      fail_position("the run of W&B");
    }
    run_.started = started->as_float();
  }

  void begin(const Object& config) {
    run_.project = options_.project;
    run_.entity = options_.entity;
    if (options_.run_name) run_.name = printable(*options_.run_name);
    records_ = 0;
    file_->write(wandb_file_header());
    write(wandb_header_record(++records_));
    write(wandb_run_record(++records_, run_, config));
  }

  void add_custom(const TrainingInfo& info, std::vector<WandbItem>& items) {
    if (options_.log_custom_stats.empty()) return;
    for (WandbItem& item : items_of(leaves_of(matched_stats(custom_, info, setup_.output)))) {
      const bool is_there = std::any_of(items.begin(), items.end(), [&](const WandbItem& other) {
        return other.first == item.first;
      });
      if (!is_there) items.push_back(std::move(item));
    }
  }

  void write(const ProtoMessage& record) {
    file_->write(block_record(record.bytes(), file_->length()));
  }

  WandbOptions options_;
  LogSetup setup_;
  NamePatterns custom_;
  LogFolder folder_;
  WandbRun run_;
  std::string name_;  // of the run's folder
  std::unique_ptr<LogFile> file_;
  std::int64_t records_ = 0;
  LogEnd end_ = LogEnd::finished;
};

}  // namespace

Logger wandb_log(WandbOptions options) {
  return {[options = std::move(options)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<WandbSession>(options, setup);
  }};
}

}  // namespace weft
