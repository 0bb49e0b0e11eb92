#include "framework/training/logs/mlflow_log.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "framework/io/random_letters.h"
#include "framework/text/printable.h"
#include "framework/training/logs/custom_stats.h"
#include "framework/training/logs/log_folder.h"
#include "framework/training/logs/logged_config.h"
#include "framework/training/logs/logged_values.h"
#include "framework/training/logs/mlflow_store.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHexDigits = "0123456789abcdef", kDigits = "0123456789";
constexpr std::size_t kRunDigits = 32, kMostExperimentDigits = 32;
constexpr std::size_t kLongestParameter = 6000, kLongestTag = 8000;  // MLflow's own, in characters

bool consists_of(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == text.npos;
}

bool is_run(std::string_view id) {
  return id.size() == kRunDigits && consists_of(id, kHexDigits);
}

bool is_experiment(std::string_view id) {
  return id.size() <= kMostExperimentDigits && consists_of(id, kDigits);
}

void check(const MlflowOptions& options) {
  if (options.run_id && !is_run(*options.run_id)) {
    throw Error(ErrorKind::config, fmt::format("run_id: a run of MLflow is called by {} lower-case "
                                               "hexadecimal digits",
                                               kRunDigits));
  }
  if (options.experiment_id && !is_experiment(*options.experiment_id)) {
    throw Error(ErrorKind::config, "experiment_id: an experiment of MLflow is called by digits");
  }
}

std::int64_t milliseconds_now() {
  return static_cast<std::int64_t>(seconds_now() * 1000.0);
}

// As Python's `str` has a value that a config can hold; MLflow's package logs that.
std::string parameter_text(const Node& node) {
  if (node.is_null()) return "None";
  if (node.is_bool()) return node.as_bool() ? "True" : "False";
  if (node.is_string()) return printable(node.as_string());
  return node.is_list() ? to_json(node, JsonText::utf8) : number_text(node);
}

class MlflowSession : public LogSession {
 public:
  MlflowSession(const MlflowOptions& options, const LogSetup& setup)
      : options_(options),
        setup_(setup),
        custom_("log_custom_stats", options.log_custom_stats),
        folder_(options.folder, setup) {
    check(options);
    Object config;
    if (setup.config != nullptr) {
      config = logged_config(*setup.config, options.remove_config_values);
    }
    if (setup.resumed != nullptr && !setup.resumed->is_null()) {
      take_up(*setup.resumed);
    } else {
      draw_run();
    }
    make_experiment("0");
    make_experiment(run_.experiment);
    // A folder that lacks one of these is no run to MLflow.
    for (const char* part : {"artifacts", "metrics", "params", "tags"}) folder_.make(place(part));
    write_meta(MlflowStatus::running, -1);
    if (metrics_.empty()) write_settings(config);
  }

  void evaluated(const TrainingInfo& info) override {
    const std::int64_t now = milliseconds_now();
    for (const LoggedValue& value : points(info)) {
      LogFile* file = metric(value.name());
      if (file == nullptr) continue;
      file->write_line(fmt::format("{} {} {}", now, number_text(value.value), info.step));
      file->rest();
    }
    say_what_is_changed();
  }

  Node position() override {
    Object metrics;
    for (auto& [name, file] : metrics_) {
      Node place = file->position();
      place.as_object().set("file", names_.of(name));
      metrics.set(name, std::move(place));
    }
    Object position;
    position.set("run", run_.id);
    position.set("experiment", run_.experiment);
    position.set("name", run_.name);
    position.set("started", run_.started);
    position.set("metrics", std::move(metrics));
    return position;
  }

  void ended(LogEnd end) override { end_ = end; }

  void finish() override {
    const MlflowStatus status = end_ == LogEnd::finished      ? MlflowStatus::finished
                                : end_ == LogEnd::interrupted ? MlflowStatus::killed
                                                              : MlflowStatus::failed;
    write_meta(status, milliseconds_now());
    setup_.err << fmt::format(
        "MLflow takes the run with: mlflow migrate-filestore --source {} "
        "--target sqlite:///mlflow.db\n",
        folder_.path().string());
  }

 private:
  fs::path place(const fs::path& name) const { return fs::path(run_.experiment) / run_.id / name; }

  void make_experiment(const std::string& experiment) const {
    const fs::path file = fs::path(experiment) / "meta.yaml";
    if (folder_.has(file)) return;
    folder_.replace(file, mlflow_experiment_meta(experiment, folder_.path(), milliseconds_now()));
  }

  void draw_run() {
    run_.experiment = options_.experiment_id.value_or("0");
    run_.id = options_.run_id.value_or(random_letters(kHexDigits, kRunDigits));
    const fs::path output = setup_.output.lexically_normal();
    const fs::path last =
        output.has_filename() ? output.filename() : output.parent_path().filename();
    run_.name = options_.run_name.value_or(last.empty() ? "weft" : last.string());
    run_.started = milliseconds_now();
    if (!folder_.has(fs::path(run_.experiment) / run_.id)) return;
    if (!setup_.may_replace) {
      throw Error(ErrorKind::usage, fmt::format("the run {} of MLflow exists already; --overwrite "
                                                "replaces it",
                                                (folder_.path() / place("")).string()));
    }
    for (const char* part : {"metrics", "params", "tags"}) folder_.keep_only(place(part), {});
  }

  void take_up(const Node& position) {
    run_.id = text_at(&position, "run");
    run_.experiment = text_at(&position, "experiment");
    run_.name = text_at(&position, "name");
    run_.started = count_at(&position, "started");
    const Node* metrics = value_at(&position, "metrics");
    if (!is_run(run_.id) || !is_experiment(run_.experiment) || metrics == nullptr ||
        !metrics->is_object() || metrics->as_object().size() > kMostMlflowMetrics) {
      fail_position("the run of MLflow");
    }
    std::set<std::string> files;
    for (const auto& [name, place_in] : metrics->as_object()) {
      names_.restore(name, text_at(&place_in, "file"));
      files.insert(names_.of(name));
      auto file =
          folder_.open(place("metrics") / names_.of(name), LogFile::Start::append, &place_in);
      file->rest();
      metrics_.emplace(name, std::move(file));
    }
    folder_.keep_only(place("metrics"), files);
  }

  // The file of a metric; null where there are too many.
  LogFile* metric(const std::string& name) {
    const auto found = metrics_.find(name);
    if (found != metrics_.end()) return found->second.get();
    if (metrics_.size() >= kMostMlflowMetrics) {
      if (!std::exchange(said_too_many_, true)) {
        setup_.err << fmt::format(
            "warning: a run of MLflow gets {} metrics at most; log.jsonl has all scores\n",
            kMostMlflowMetrics);
      }
      return nullptr;
    }
    auto file = folder_.open(place("metrics") / names_.of(name), LogFile::Start::replace, nullptr);
    return metrics_.emplace(name, std::move(file)).first->second.get();
  }

  std::vector<LoggedValue> points(const TrainingInfo& info) {
    std::vector<LoggedValue> points = logged_values(info);
    if (options_.log_custom_stats.empty()) return points;
    std::set<std::string> names;
    for (const LoggedValue& point : points) names.insert(point.name());
    for (LoggedValue& point : numbers_of(matched_stats(custom_, info, setup_.output))) {
      if (names.insert(point.name()).second) points.push_back(std::move(point));
    }
    return points;
  }

  void write_settings(const Object& config) {
    MlflowNames names;
    for (const LoggedValue& leaf : leaves_of(config)) {
      std::string name = leaf.name();
      std::erase(name, '@');
      if (names.size() >= kMostLogged) break;
      folder_.put(place("params") / names.of(name),
                  first_characters(parameter_text(leaf.value), kLongestParameter));
    }
    Object tags = options_.tags;
    tags.set("mlflow.runName", run_.name);
    tags.set("mlflow.source.name", "weft");
    tags.set("mlflow.source.type", "LOCAL");
    MlflowNames tag_names;
    for (const auto& [name, value] : tags) {
      folder_.put(place("tags") / tag_names.of(name),
                  first_characters(parameter_text(value), kLongestTag));
    }
  }

  // As much as MLflow shows of a text.
  static std::string first_characters(const std::string& text, std::size_t most) {
    return text.substr(0, byte_offset(text, most));
  }

  void write_meta(MlflowStatus status, std::int64_t ended) {
    folder_.replace(place("meta.yaml"), mlflow_run_meta(run_, folder_.path(), status, ended));
  }

  void say_what_is_changed() {
    if (said_what_is_changed_ || names_.changed().empty()) return;
    said_what_is_changed_ = true;
    setup_.err << fmt::format(
        "note: MLflow has no room for '{}' as a name; it gets '{}', and others are changed alike\n",
        printable_brief(names_.changed()), names_.of(names_.changed()));
  }

  MlflowOptions options_;
  LogSetup setup_;
  NamePatterns custom_;
  LogFolder folder_;
  MlflowRun run_;
  MlflowNames names_;
  std::map<std::string, std::unique_ptr<LogFile>> metrics_;
  bool said_too_many_ = false, said_what_is_changed_ = false;
  LogEnd end_ = LogEnd::finished;
};

}  // namespace

Logger mlflow_log(MlflowOptions options) {
  return {[options = std::move(options)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<MlflowSession>(options, setup);
  }};
}

}  // namespace weft
