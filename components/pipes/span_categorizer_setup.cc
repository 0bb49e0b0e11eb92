// Labels, shapes and the saved state of a span categorizer.
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "components/pipes/span_categorizer.h"
#include "components/pipes/span_settings.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/cfg_settings.h"
#include "framework/pipeline/label_limit.h"
#include "framework/pipeline/label_settings.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/text/example.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {

namespace {

constexpr std::int64_t kMostLabels = kMostClasses - 1;  // one more is the class of no label
constexpr std::size_t kMostKeys = 20;                   // in a message

Error data_error(const std::string& what) {
  return Error(ErrorKind::data, what);
}

}  // namespace

void SpanCategorizer::take_labels(const Node& list, const std::string& source) {
  labels_.add_list(list, source, vocab().strings(), kMostLabels);
}

void SpanCategorizer::find_labels(ExampleStream& examples) {
  std::set<std::string> keys;
  while (const ExamplePtr example = examples.next()) {
    const Doc& doc = example->reference();
    for (const auto& [key, _] : doc.span_groups()) {
      if (keys.size() < kMostKeys) keys.insert('"' + printable_brief(key) + '"');
    }
    const SpanGroup* group = doc.span_group(settings_.spans_key);
    if (group == nullptr) continue;
    for (const Span& span : group->spans) {
      labels_.add(doc.string(span.label), vocab().strings());
      if (labels_.size() <= kMostLabels) continue;
      throw data_error(fmt::format("component '{}': more than {} labels in the training data",
                                   name(), kMostLabels));
    }
  }
  if (labels_.size() > 0) return;
  throw data_error(
      fmt::format("component '{}': no document of the training data has a span in the group \"{}\" "
                  "(spans_key); "
                  "its groups are {}",
                  name(), printable_brief(settings_.spans_key),
                  keys.empty() ? "none" : fmt::format("{}", fmt::join(keys, ", "))));
}

void SpanCategorizer::initialize(InitContext& init) {
  if (const Node* given = init.given("labels")) {
    const std::string place = "[initialize.components." + name() + ".labels]";
    take_labels(*given, place);
    if (labels_.size() == 0) throw data_error(place + ": there is no label");
  } else {
    find_labels(*init.examples());
  }
  const ShapeSample sample = shape_sample(init.sample, ExampleSide::predicted);
  const std::vector<const Doc*>& docs = sample.docs;
  const Tensor classes = init.ctx.zeros({1, class_count()});
  settings_.model->initialize(init.ctx, DocBatch(docs), classes, init.random);
  const auto outputs = settings_.model->find_dim("nO");
  if (outputs && *outputs != class_count()) {
    throw Error(ErrorKind::config,
                fmt::format("component '{}': its model has {} outputs (nO) for {} classes; "
                            "nO = null takes their number",
                            name(), *outputs, class_count()));
  }
}

Signature SpanCategorizer::init_settings() const {
  return signature_of<LabelNames>();
}

bool SpanCategorizer::add_label(std::string_view label) {
  if (labels_.find(string_id(label))) return false;
  const auto outputs = settings_.model->ref("scorer").find_dim("nO");
  if (outputs && class_count() >= *outputs) {
    throw Error(ErrorKind::usage,
                fmt::format("component '{}' takes no further label (\"{}\"): its model has {} "
                            "outputs; labels are added before it is initialised",
                            name(), printable_brief(std::string(label)), *outputs));
  }
  return labels_.add(label, vocab().strings());
}

Object SpanCategorizer::cfg() const {
  const SpanChoice& choice = settings_.choice;
  Object cfg;
  cfg.set("labels", label_data());
  cfg.set("spans_key", settings_.spans_key);
  cfg.set("threshold", choice.threshold ? Node(*choice.threshold) : Node());
  cfg.set("max_positive", choice.max_positive ? Node(*choice.max_positive) : Node());
  cfg.set("negative_weight", settings_.negative_weight ? Node(*settings_.negative_weight) : Node());
  cfg.set("allow_overlap", choice.allow_overlap);
  return cfg;
}

void SpanCategorizer::to_disk(const std::filesystem::path& folder) const {
  write_file(folder / "cfg", to_pretty_json(cfg()) + "\n");
  write_model(folder / "model", *settings_.model);
}

void SpanCategorizer::from_disk(const std::filesystem::path& folder) {
  const std::string cfg_file = (folder / "cfg").string();
  take_cfg(read_json_object(folder / "cfg"), cfg_file);
  read_model_file(*settings_.model, folder / "model");
  const auto outputs = settings_.model->find_dim("nO");
  if (outputs && *outputs != class_count()) {
    throw data_error(fmt::format("{}: gives {} scores where {} has {} classes",
                                 (folder / "model").string(), *outputs, cfg_file, class_count()));
  }
}

void SpanCategorizer::take_cfg(const Object& cfg, const std::string& source) {
  SpanChoice& choice = settings_.choice;
  labels_.clear();
  const Node* labels = cfg.find("labels");
  if (labels == nullptr) throw data_error(source + ": has no labels");
  take_labels(*labels, source);
  if (std::cmp_not_equal(labels_.size(), labels->as_list().size())) {
    throw data_error(source + ": a label twice");
  }
  take_spans_key(cfg, source, settings_.spans_key);
  take_number(cfg, "threshold", source, {0.0, 1.0}, choice.threshold);
  take_number(cfg, "negative_weight", source, kWeights, settings_.negative_weight);
  take_count(cfg, "max_positive", source, choice.max_positive);
  if (cfg.contains("allow_overlap")) {
    choice.allow_overlap = true;  // for null, too
    take_setting(cfg, "allow_overlap", source, choice.allow_overlap);
  }
  if (!choice.allow_overlap && choice.max_positive.value_or(1) > 1) {
    throw data_error(source +
                     ": spans with several labels (max_positive) overlap; allow_overlap "
                     "cannot be false");
  }
  if (!choice.threshold && choice.max_positive != 1) {
    throw data_error(source + ": spans with any number of labels need a threshold");
  }
}

}  // namespace weft
