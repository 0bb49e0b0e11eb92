// Classes, shapes and the saved state of components that classify tokens.
#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/mapped_file.h"
#include "framework/io/pretty_json.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/output_form.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/tagging/token_classifier.h"
#include "registry/base/error.h"

namespace weft {

void TokenClassifier::initialize(InitContext& init) {
  try {
    find_classes(init);
  } catch (const Error& error) {
    throw_named(error);
  }
  if (class_count() == 0) {
    throw Error(ErrorKind::data,
                fmt::format("component '{}': the training data has no annotation that it learns "
                            "from, and no label is given",
                            name()));
  }
  check_smoothing();
  if (const std::int64_t outputs = model_classes(); outputs != 0 && outputs != class_count()) {
    throw Error(ErrorKind::config,
                fmt::format("component '{}': its model has {} outputs (nO) for {} classes; "
                            "nO = null takes their number",
                            name(), outputs, class_count()));
  }
  const ShapeSample sample = shape_sample(init.sample, ExampleSide::predicted, class_count());
  const std::vector<const Doc*>& docs = sample.docs;
  std::int64_t tokens = 0;
  for (const Doc* doc : docs) tokens += doc->size();
  const Tensor classes = init.ctx.zeros({tokens, class_count()});
  network_.model->initialize(init.ctx, DocBatch(docs), classes, init.random);
  require_output(init.ctx, *network_.model, docs, OutputForm::rows_of_documents, "spacy.Tagger.v2");
}

void TokenClassifier::check_smoothing() const {
  const double smoothing = network_.label_smoothing;
  const auto classes = static_cast<double>(class_count());
  if (smoothing == 0.0 || (classes > 1 && smoothing < (classes - 1) / classes)) return;
  throw Error(ErrorKind::config,
              fmt::format("component '{}': label_smoothing is {}; with {} classes it has to be 0{}",
                          name(), smoothing, class_count(),
                          classes > 1 ? fmt::format(" or less than {:.4g}", (classes - 1) / classes)
                                      : std::string()));
}

std::int64_t TokenClassifier::model_classes() const {
  const Model& model = *network_.model;
  for (const char* ref : {"output_layer", "softmax"}) {
    if (!model.has_ref(ref)) continue;
    if (const auto classes = model.ref(ref).find_dim("nO")) return *classes;
  }
  return model.find_dim("nO").value_or(0);
}

void TokenClassifier::require_room() const {
  const std::int64_t outputs = model_classes();
  if (outputs == 0 || class_count() < outputs) return;
  throw Error(ErrorKind::usage,
              fmt::format("component '{}' takes no further label: its model has {} outputs; labels "
                          "are added before it is initialised",
                          name(), outputs));
}

std::string TokenClassifier::labels_place() const {
  return "[initialize.components." + name() + ".labels]";
}

void TokenClassifier::write_files(const std::filesystem::path&) const {}
void TokenClassifier::read_files(const std::filesystem::path&) {}

void TokenClassifier::to_disk(const std::filesystem::path& folder) const {
  write_file(folder / "cfg", to_pretty_json(cfg()) + "\n");
  write_files(folder);
  write_model(folder / "model", *network_.model);
}

void TokenClassifier::from_disk(const std::filesystem::path& folder) {
  const std::filesystem::path cfg_file = folder / "cfg";
  take_cfg(read_json_object(cfg_file), cfg_file.string());
  read_files(folder);
  const std::filesystem::path file = folder / "model";
  model_from_bytes(*network_.model, MappedFile(file).bytes(), file.string());
  if (const std::int64_t outputs = model_classes(); outputs != class_count()) {
    throw Error(ErrorKind::data,
                fmt::format("{}: it has {} outputs where {} names {} classes", file.string(),
                            outputs, cfg_file.string(), class_count()));
  }
}

}  // namespace weft
