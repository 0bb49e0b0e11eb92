#include "framework/training/checkpoint.h"

#include <utility>

#include <fmt/format.h>

#include "framework/io/json_file.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/training/checkpoint_files.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/sha256.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFormat = 1;
constexpr const char* kPipeline = "pipeline";
// The pipeline's other files are vouched for by its meta.json.
constexpr const char* kPipelineMeta = "pipeline/meta.json";
constexpr const char* kHashedFiles[] = {kOptimizerFile, kPipelineMeta};

Object state_of(const Checkpoint& checkpoint, const fs::path& folder) {
  Object optimizer;
  optimizer.set("schedule_step", checkpoint.schedule_step);
  optimizer.set("updates", update_counts(checkpoint.optimizer));
  Object files;
  for (const char* name : kHashedFiles) {
    files.set(name, sha256_of_file(folder / name));
  }
  Object state;
  state.set("format", kFormat);
  state.set("training", to_node(checkpoint.training));
  state.set("optimizer", std::move(optimizer));
  state.set("components", checkpoint.components);
  state.set("log", checkpoint.log);
  state.set("meta", checkpoint.meta);
  state.set("data", checkpoint.data);
  if (!checkpoint.precision.is_null()) state.set("precision", checkpoint.precision);
  if (!checkpoint.loss_history.is_null()) state.set("loss_history", checkpoint.loss_history);
  if (!checkpoint.rehearsal.is_null()) state.set("rehearsal", checkpoint.rehearsal);
  state.set("files", std::move(files));
  return state;
}

void check_format(const Object& state, const fs::path& folder) {
  const std::int64_t format = count_of(member(state, "format", folder), "format", folder);
  if (format == kFormat) return;
  throw Error(ErrorKind::data,
              fmt::format("the checkpoint {} has format {}; this version of weft reads format {}",
                          folder.string(), format, kFormat));
}

void check_hash(const Object& state, const std::string& name, const fs::path& folder) {
  if (!is_there(folder / name)) damaged_checkpoint(folder, name + " is missing");
  const Object files = object_in(state, "files", folder);
  if (!member(files, name, folder).same_value(sha256_of_file(folder / name))) {
    damaged_checkpoint(folder, name + " is not as it was written");
  }
}

void check_hashes(const Object& state, const fs::path& folder) {
  for (const char* name : kHashedFiles) check_hash(state, name, folder);
  const HashCheck pipeline = check_pipeline_files(folder / kPipeline);
  if (!pipeline.differences.empty())
    damaged_checkpoint(folder, "pipeline/" + pipeline.differences.front());
}

TrainingState training_in(const Object& state, const fs::path& folder) {
  const Node& training = member(state, "training", folder);
  try {
    return training_state_from(training);
  } catch (const Error& error) {
    damaged_checkpoint(folder, error.what());
  }
}

}  // namespace

// state.json is written last: it holds the hashes of the other files, and a folder without it is no
// checkpoint.
void write_checkpoint(const Checkpoint& checkpoint, const Language& nlp, const fs::path& folder) {
  nlp.to_disk(folder / kPipeline);
  write_optimizer_states(checkpoint.optimizer, folder / kOptimizerFile);
  write_sealed_state(state_of(checkpoint, folder), folder);
}

bool is_checkpoint(const fs::path& folder) {
  return is_there(folder / kSealedState);
}

Checkpoint read_checkpoint(const fs::path& folder) {
  if (!is_checkpoint(folder)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no checkpoint", folder.string()));
  }
  // The seal first, then the format, then the other files by their hashes: nothing is used before
  // it is known to be as it was written.
  const Object state = read_sealed_state(folder);
  check_format(state, folder);
  check_hashes(state, folder);
  const Object optimizer = object_in(state, "optimizer", folder);
  Checkpoint checkpoint;
  checkpoint.folder = folder;
  checkpoint.training = training_in(state, folder);
  checkpoint.schedule_step =
      count_of(member(optimizer, "schedule_step", folder), "schedule_step", folder);
  checkpoint.optimizer = read_optimizer_states(object_in(optimizer, "updates", folder), folder);
  checkpoint.components = object_in(state, "components", folder);
  checkpoint.log = member(state, "log", folder);
  checkpoint.meta = object_in(state, "meta", folder);
  checkpoint.data = object_in(state, "data", folder);
  if (const Node* precision = state.find("precision")) checkpoint.precision = *precision;
  if (const Node* history = state.find("loss_history")) checkpoint.loss_history = *history;
  if (const Node* rehearsal = state.find("rehearsal")) checkpoint.rehearsal = *rehearsal;
  return checkpoint;
}

fs::path config_of_checkpoint(const fs::path& folder) {
  fs::path config = folder / kPipeline / "config.cfg";
  if (!is_there(config)) damaged_checkpoint(folder, "pipeline/config.cfg is missing");
  require_regular(config);
  // It is read before the checkpoint is, so its own hash is looked at by itself.
  check_hash(read_sealed_state(folder), kPipelineMeta, folder);
  const Object meta = read_json_object(folder / kPipelineMeta);
  const Node* hashes = meta.find(kFileHashes);
  const Node* hash =
      hashes != nullptr && hashes->is_object() ? hashes->as_object().find("config.cfg") : nullptr;
  if (hash == nullptr || !hash->same_value(sha256_of_file(config))) {
    damaged_checkpoint(folder, "pipeline/config.cfg: changed");
  }
  return config;
}

void restore_pipeline(const Checkpoint& checkpoint, const fs::path& folder, Language& nlp) {
  nlp.from_disk(folder / kPipeline);
  nlp.meta() = checkpoint.meta;
  for (const auto& [name, state] : checkpoint.components) {
    Component* component = nlp.find(name);
    if (component == nullptr) {
      damaged_checkpoint(folder,
                         fmt::format("it has a component '{}', which the pipeline lacks", name));
    }
    component->set_training_state(state);
  }
}

void restore_optimizer(const Checkpoint& checkpoint, std::span<const NamedParameter> parameters,
                       Optimizer& optimizer) {
  take_optimizer_states(checkpoint.optimizer, parameters, optimizer, checkpoint.folder);
  optimizer.set_schedule_step(checkpoint.schedule_step);
}

}  // namespace weft
