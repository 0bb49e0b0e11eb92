// Labels, shapes and the saved state of a text classifier.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "components/architectures/textcat_parts.h"
#include "components/pipes/text_categorizer.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/label_limit.h"
#include "framework/pipeline/label_settings.h"
#include "framework/pipeline/output_form.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/text/example.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "registry/value/number.h"

namespace weft {

namespace {

struct ExclusiveLabels {
  LabelNames names;
  std::optional<std::string> positive_label;
};

template <class V>
void fields(V& v, ExclusiveLabels& c) {
  fields(v, c.names);
  v("positive_label", c.positive_label, "of two labels the one that precision and recall are of",
    strict);
}

Error data_error(const std::string& what) {
  return Error(ErrorKind::data, what);
}

}  // namespace

void TextCategorizer::take_labels(const Node& list, const std::string& source) {
  if (!list.is_list()) throw data_error(source + ": labels are a list of names");
  for (const Node& label : list.as_list()) {
    if (!label.is_string()) throw data_error(source + ": a label is not a string");
    labels_.add(label.as_string());
    require_few_labels(labels_.size(), source);
  }
}

void TextCategorizer::find_labels(ExampleStream& examples) {
  const std::string source = fmt::format("component '{}': the training data", name());
  while (const ExamplePtr example = examples.next()) {
    static_cast<void>(category_truth(*example, labels_, settings_.exclusive));
    for (const TextCategory& cat : example->reference().cats()) labels_.add(cat.label);
    require_few_labels(labels_.size(), source);
  }
}

void TextCategorizer::require_labels(const Node* given) const {
  const std::size_t least = settings_.exclusive ? 2 : 1;
  if (labels_.size() >= least) return;
  const char* there = labels_.size() == 0 ? "no label" : "one label";
  const char* needed = least == 1 ? "one at least" : "two at least, or take textcat_multilabel";
  if (given != nullptr) {
    throw Error(
        ErrorKind::config,
        fmt::format("[initialize.components.{}] labels: {}, it needs {}", name(), there, needed),
        given->origin);
  }
  throw data_error(fmt::format(
      "component '{}': {} in the training data, it needs {}; the documents' categories (\"cats\") "
      "name them, or [initialize.components.{}] labels",
      name(), there, needed, name()));
}

void TextCategorizer::take_positive_label(const Node* label, const std::string& source,
                                          ErrorKind kind) {
  if (label == nullptr || label->is_null()) return;
  if (!label->is_string() || !labels_.number(label->as_string())) {
    throw Error(kind,
                fmt::format("{}: positive_label is none of the labels; it is one of {}", source,
                            fmt::join(labels_.names(), ", ")),
                label->origin);
  }
  if (labels_.size() != 2) {
    throw Error(
        kind,
        fmt::format("{}: positive_label is for two labels, there are {}", source, labels_.size()),
        label->origin);
  }
  positive_label_ = label->as_string();
}

void TextCategorizer::initialize(InitContext& init) {
  const std::string source = "[initialize.components." + name() + "]";
  const Node* labels = init.given("labels");
  if (labels != nullptr) {
    take_labels(*labels, source);
  } else {
    find_labels(*init.examples());
  }
  require_labels(labels);
  take_positive_label(init.given("positive_label"), source, ErrorKind::config);
  const ShapeSample sample = shape_sample(init.sample, ExampleSide::reference);
  const std::vector<const Doc*>& docs = sample.docs;
  const auto count = static_cast<std::int64_t>(docs.size());
  const Tensor truth = Tensor::zeros({count, static_cast<std::int64_t>(labels_.size())});
  settings_.model->initialize(init.ctx, DocBatch(docs), truth, init.random);
  require_output(init.ctx, *settings_.model, docs, OutputForm::row_of_document,
                 "spacy.TextCatEnsemble.v2");
}

Signature TextCategorizer::init_settings() const {
  return settings_.exclusive ? signature_of<ExclusiveLabels>() : signature_of<LabelNames>();
}

Node TextCategorizer::label_data() const {
  List names;
  for (const std::string& label : labels_.names()) names.emplace_back(label);
  return names;
}

bool TextCategorizer::is_initialized() const {
  const std::vector<const Model*> nodes = std::as_const(*settings_.model).walk();
  return std::any_of(nodes.begin(), nodes.end(), [](const Model* node) {
    return std::any_of(node->params().begin(), node->params().end(),
                       [](const auto& parameter) { return static_cast<bool>(parameter->value); });
  });
}

bool TextCategorizer::add_label(std::string_view label) {
  if (labels_.number(label)) return false;
  const auto classes = static_cast<std::int64_t>(labels_.size()) + 1;
  if (is_initialized() && !grow_outputs(*settings_.model, classes)) {
    throw Error(ErrorKind::usage,
                fmt::format("component '{}': its network cannot learn the further label \"{}\"; "
                            "name all labels before it is trained, or take spacy.TextCatBOW.v3 or "
                            "spacy.TextCatReduce.v1",
                            name(), printable_brief(std::string(label))));
  }
  labels_.add(label);
  return true;
}

Object TextCategorizer::cfg() const {
  Object cfg;
  cfg.set("labels", label_data());
  cfg.set("threshold", settings_.threshold);
  if (settings_.exclusive) {
    cfg.set("positive_label", positive_label_ ? Node(*positive_label_) : Node());
  }
  return cfg;
}

void TextCategorizer::to_disk(const std::filesystem::path& folder) const {
  write_file(folder / "cfg", to_standard_json(cfg()) + "\n");
  write_model(folder / "model", *settings_.model);
}

void TextCategorizer::from_disk(const std::filesystem::path& folder) {
  const std::filesystem::path cfg_file = folder / "cfg";
  take_cfg(read_json_object(cfg_file), cfg_file.string());
  const std::filesystem::path model = folder / "model";
  model_from_bytes(*settings_.model, MappedFile(model).bytes(), model.string());
  const auto outputs = settings_.model->ref("output_layer").find_dim("nO");
  if (outputs && std::cmp_not_equal(*outputs, labels_.size())) {
    throw data_error(fmt::format("{}: gives {} scores where {} has {} labels", model.string(),
                                 *outputs, cfg_file.string(), labels_.size()));
  }
}

void TextCategorizer::take_cfg(const Object& cfg, const std::string& source) {
  const Node* labels = cfg.find("labels");
  labels_ = {};
  if (labels == nullptr) throw data_error(source + ": has no labels");
  take_labels(*labels, source);
  if (labels_.size() != labels->as_list().size()) throw data_error(source + ": a label twice");
  if (const Node* threshold = cfg.find("threshold"); threshold != nullptr) {
    const double value = number_in(*threshold).value_or(-1.0);
    if (!(value >= 0.0 && value <= 1.0)) {
      throw data_error(source + ": the threshold is no number from 0 to 1");
    }
    settings_.threshold = value;
  }
  positive_label_.reset();
  if (settings_.exclusive) {
    take_positive_label(cfg.find("positive_label"), source, ErrorKind::data);
  }
}

}  // namespace weft
