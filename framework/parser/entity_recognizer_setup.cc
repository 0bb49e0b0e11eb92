// Labels, shapes and the saved state of the entity recognizer.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "framework/ops/transition_steps.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/parser/label_count.h"
#include "framework/parser/parser_resize.h"
#include "framework/pipeline/label_limit.h"
#include "framework/pipeline/label_settings.h"
#include "framework/text/example.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

namespace {

// Labels as the config gives them: a list of names, or what `label_data` gives.
ActionTable table_of(const Node& labels, const std::string& source) {
  LabelCount(source).add_all(labels);
  if (labels.is_object()) return ActionTable::from_json(to_json(labels), source);
  std::map<std::string, std::int64_t> counts;
  for (const Node& label : labels.as_list()) ++counts[label.as_string()];
  ActionTable table;
  table.count(counts);
  return table;
}

// Every token of an entity counts for its label.
ActionTable count_labels(ExampleStream& examples) {
  std::map<std::string, std::int64_t> counts;
  LabelCount labels("the training data");
  while (const ExamplePtr example = examples.next()) {
    const Doc& reference = example->reference();
    for (int i = 0; i < reference.size(); ++i) {
      const StringId type = reference.ent_type(i);
      if (type == 0) continue;
      const auto entry = counts.try_emplace(std::string(reference.string(type))).first;
      if (entry->second++ == 0) labels.add(entry->first);
    }
  }
  ActionTable table;
  table.count(counts);
  return table;
}

// Labels of the entities of a document, in the order of their first token.
void add_labels(const Doc& doc, std::vector<std::string>& labels) {
  if (doc.column(Attr::ent_type).empty()) return;
  StringId last = 0;
  for (const StringId type : doc.column(Attr::ent_type)) {
    if (type != 0 && type != last) labels.emplace_back(doc.string(type));
    last = type;
  }
}

}  // namespace

void EntityRecognizer::initialize(InitContext& init) {
  const std::vector<std::string> given = table_.labels();
  ActionTable table;
  if (const Node* labels = init.given("labels")) {
    table = table_of(*labels, "[initialize.components." + name() + ".labels]");
  } else {
    table = count_labels(*init.examples());
  }
  // Labels of a component that was loaded stay, so that its weights still mean the same classes.
  table.append(given);  // behind those of the data; known ones stay
  require_few_labels(table.labels().size(), "component '" + name() + "'");
  if (table.labels().empty()) {
    throw Error(ErrorKind::data,
                "component '" + name() + "': no entity in the training data and no label given");
  }
  table.set_negative_key(negative_key_);
  take_table(std::move(table));
  init.ctx.require<TransitionParse>();
  init.ctx.require<TransitionTrain>();
  initialize_model(init);
}

Signature EntityRecognizer::init_settings() const {
  return signature_of<LabelNamesOrTable>();
}

Node EntityRecognizer::label_data() const {
  return *parse_json(table_.to_json());
}

bool EntityRecognizer::add_label(std::string_view label) {
  return append_labels({std::string(label)});
}

// All at once: tables and weights are copied to grow.
bool EntityRecognizer::append_labels(const std::vector<std::string>& labels) {
  const int before = table_.size();
  ActionTable table = table_;
  if (table.append(labels) == 0) return false;
  require_few_labels(table.labels().size(), "component '" + name() + "'");
  // Classes that came during training are marked: they take part in no choice until a batch shows
  // them.
  std::vector<std::uint8_t> unseen = unseen_;  // another table forgets them
  take_table(std::move(table));
  if (!grow_parser_output(model(), table_.size())) return true;
  unseen.resize(static_cast<std::size_t>(before), 0);
  unseen.resize(static_cast<std::size_t>(table_.size()), 1);
  unseen_ = std::move(unseen);
  return true;
}

void EntityRecognizer::add_labels_of(const Batch& batch) {
  std::vector<std::string> labels;
  for (const Example* example : batch.examples) {
    add_labels(example->predicted(), labels);
    add_labels(example->reference(), labels);
  }
  const std::vector<std::string> known = table_.labels();  // sorted
  std::vector<std::string> fresh;
  for (const std::string& label : labels) {
    if (!std::binary_search(known.begin(), known.end(), label)) fresh.push_back(label);
  }
  if (!fresh.empty()) {
    if (batch.copy_weights_to_host) batch.copy_weights_to_host();
    append_labels(fresh);
  }
  if (unseen_.empty()) return;
  // A class counts as seen from the first batch that holds its label.
  const std::set<std::string> present(labels.begin(), labels.end());
  for (std::size_t k = 0; k < unseen_.size(); ++k) {
    if (present.contains(table_.classes()[k].label)) unseen_[k] = 0;
  }
  if (std::count(unseen_.begin(), unseen_.end(), 1) == 0) unseen_.clear();
}

void EntityRecognizer::take_cfg(const ParserCfg& cfg, const std::string&) {
  negative_key_ = cfg.incorrect_spans_key;
}

void EntityRecognizer::take_moves(std::string_view bytes, const std::string& file) {
  take_table(ActionTable::from_bytes(bytes, file));
  if (table_.negative_key()) negative_key_ = table_.negative_key();
}

void EntityRecognizer::to_disk(const std::filesystem::path& folder) const {
  TransitionComponent::to_disk(folder);
  if (calibration_) write_calibration(*calibration_, folder);
}

void EntityRecognizer::from_disk(const std::filesystem::path& folder) {
  TransitionComponent::from_disk(folder);
  calibration_ = read_calibration(folder);
}

Node EntityRecognizer::training_state() const {
  if (unseen_.empty()) return nullptr;
  List classes;
  for (const std::uint8_t unseen : unseen_) classes.emplace_back(unseen != 0);
  return classes;
}

void EntityRecognizer::set_training_state(const Node& state) {
  unseen_.clear();
  if (state.is_null()) return;
  const bool fits = state.is_list() && std::cmp_equal(state.as_list().size(), table_.size()) &&
                    std::all_of(state.as_list().begin(), state.as_list().end(),
                                [](const Node& one) { return one.is_bool(); });
  if (!fits) {
    throw Error(ErrorKind::data,
                "component '" + name() + "': the training state does not fit its classes");
  }
  for (const Node& one : state.as_list()) unseen_.push_back(one.as_bool() ? 1 : 0);
}

}  // namespace weft
