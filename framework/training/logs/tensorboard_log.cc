#include "framework/training/logs/tensorboard_log.h"

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/io/record_frames.h"
#include "framework/training/logs/custom_stats.h"
#include "framework/training/logs/event_messages.h"
#include "framework/training/logs/log_folder.h"
#include "framework/training/logs/logged_config.h"
#include "framework/training/logs/logged_values.h"
#include "framework/training/logs/parameter_histograms.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// By custom seconds, host and process stand in the name. One name for all runs lets a run that goes
// on find its file, and another run find that there is one.
constexpr const char* kName = "events.out.tfevents.weft";

std::string tag_of(const LoggedValue& value) {
  switch (value.kind) {
    case LoggedKind::final_score:
      return value.name("/");
    case LoggedKind::progress:
      return "progress/" + value.name("/");
    case LoggedKind::optimizer:
      return "optimizer/" + value.name("/");
    case LoggedKind::training_speed:
      return "speed/" + value.name("/");
    case LoggedKind::loss:
      return "loss/" + value.loss_of;
    case LoggedKind::evaluation_speed:
      return "speed/evaluation_words_per_second";
    case LoggedKind::score:
      break;
  }
  return "scores/" + value.name("/");
}

// The settings of the run as the page of hyperparameters compares them.
Object hyperparameters(const Object& config) {
  Object chosen;
  if (const Node* training = config.find("training")) chosen.set("training", *training);
  const Node* nlp = config.find("nlp");
  if (const Node* lang = value_at(nlp, "lang"))
    chosen.set("nlp", Object()).as_object().set("lang", *lang);
  const Node* components = config.find("components");
  if (components == nullptr || !components->is_object()) return chosen;
  Object named;
  for (const auto& [name, block] : components->as_object()) {
    Object facts;
    if (const Node* factory = value_at(&block, "factory")) facts.set("factory", *factory);
    const Node* architecture = value_at(value_at(&block, "model"), "@architectures");
    if (architecture != nullptr) facts.set("architecture", *architecture);
    if (!facts.empty()) named.set(name, std::move(facts));
  }
  if (!named.empty()) chosen.set("components", std::move(named));
  return chosen;
}

// A line for each setting, as a block of code.
std::string config_page(const Object& config) {
  std::string page;
  for (const LoggedValue& leaf : leaves_of(config)) {
    page += fmt::format("    {} = {}\n", leaf.name(), to_json(leaf.value, JsonText::utf8));
  }
  return page;
}

class TensorBoardSession : public LogSession {
 public:
  TensorBoardSession(const TensorBoardOptions& options, const LogSetup& setup)
      : options_(options),
        setup_(setup),
        custom_("log_custom_stats", options.log_custom_stats),
        folder_(options.folder, setup) {
    Object config;
    if (setup.config != nullptr) {
      config = logged_config(*setup.config, options.remove_config_values);
    }
    file_ = folder_.open_frames(kName, setup.resumed);
    if (file_->length() == 0) begin(config);
  }

  void evaluated(const TrainingInfo& info) override {
    std::vector<ProtoMessage> values;
    for (const LoggedValue& value : scalars(info)) {
      values.push_back(scalar_value(value.path.front(), value.number()));
    }
    if (options_.histograms) {
      for (const ParameterHistogram& histogram : parameter_histograms(setup_)) {
        values.push_back(histogram_value("weights/" + histogram.name, histogram.buckets));
      }
    }
    write(summary_event(seconds_now(), info.step, values));
    last_step_ = info.step;
  }

  Node position() override { return file_->position(); }
  void ended(LogEnd end) override { end_ = end; }

  void finish() override {
    const SessionStatus status =
        end_ == LogEnd::finished ? SessionStatus::success : SessionStatus::failure;
    const double now = seconds_now();
    write(summary_event(now, last_step_, {{session_end_value(status, now)}}));
    static_cast<void>(file_->position());
    setup_.err << fmt::format("TensorBoard shows the run: tensorboard --logdir {}\n",
                              folder_.path().parent_path().string());
  }

 private:
  void begin(const Object& config) {
    const double now = seconds_now();
    write(version_event(now));
    const std::vector<ProtoMessage> values = {settings_value(hyperparameters(config), now),
                                              text_value("config", config_page(config))};
    write(summary_event(now, 0, values));
  }

  // The values of an evaluation, each under its tag alone.
  std::vector<LoggedValue> scalars(const TrainingInfo& info) {
    std::vector<LoggedValue> tagged;
    for (const LoggedValue& value : logged_values(info)) {
      tagged.push_back({{tag_of(value)}, value.value});
    }
    if (options_.log_custom_stats.empty()) return tagged;
    for (const LoggedValue& value : numbers_of(matched_stats(custom_, info, setup_.output))) {
      tagged.push_back({{"custom/" + value.name("/")}, value.value});
    }
    return tagged;
  }

  void write(const ProtoMessage& event) { file_->write(tf_record(event.bytes())); }

  TensorBoardOptions options_;
  LogSetup setup_;
  NamePatterns custom_;
  LogFolder folder_;
  std::unique_ptr<LogFile> file_;
  std::int64_t last_step_ = 0;
  LogEnd end_ = LogEnd::finished;
};

}  // namespace

Logger tensorboard_log(TensorBoardOptions options) {
  return {[options = std::move(options)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<TensorBoardSession>(options, setup);
  }};
}

}  // namespace weft
