#include "framework/training/checkpoint.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/safetensors.h"
#include "framework/io/safetensors_writer.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/training/step_bounds.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFormat = 1;
constexpr const char* kState = "state.json";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kPipeline = "pipeline";
// The pipeline's other files are vouched for by its meta.json.
constexpr const char* kPipelineMeta = "pipeline/meta.json";

[[noreturn]] void damaged(const fs::path& folder, const std::string& what) {
  throw Error(ErrorKind::data,
              fmt::format("the checkpoint {} is damaged: {}", folder.string(), what));
}

struct Slot {
  const char* suffix;
  Tensor OptimizerState::*tensor;
};
constexpr Slot kSlots[] = {{".mom1", &OptimizerState::mom1},
                           {".mom2", &OptimizerState::mom2},
                           {".average", &OptimizerState::average}};

void write_optimizer(const Checkpoint& checkpoint, const fs::path& file) {
  std::map<std::string, Tensor> arrays;
  for (const auto& [name, state] : checkpoint.optimizer) {
    for (const Slot& slot : kSlots) {
      const Tensor& array = state.*slot.tensor;
      if (!array) continue;
      if (largest_of(array) == StepBounds::unknown) {
        throw Error(ErrorKind::data, fmt::format("{}{} holds a NaN or an infinity: it is not saved",
                                                 name, slot.suffix));
      }
      arrays[name + slot.suffix] = array;
    }
  }
  AtomicFile out(file);
  write_safetensors(arrays, out.stream());
  out.commit();
}

Object state_of(const Checkpoint& checkpoint, const fs::path& folder) {
  Object updates;
  for (const auto& [name, state] : checkpoint.optimizer) updates.set(name, state.updates);
  Object optimizer;
  optimizer.set("schedule_step", checkpoint.schedule_step);
  optimizer.set("updates", std::move(updates));
  Object files;
  for (const char* name : {kOptimizer, kPipelineMeta}) {
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
  state.set("files", std::move(files));
  return state;
}

// The object of state.json, whose second line is the hash of the first.
Object read_state(const fs::path& folder) {
  const std::string text = read_file(folder / kState, kMostSettings);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || text.substr(end + 1) != sha256(text.substr(0, end)) + "\n") {
    damaged(folder, "state.json is not as it was written");
  }
  auto state = parse_json(std::string_view(text).substr(0, end));
  if (!state || !state->is_object()) damaged(folder, "state.json is no JSON object");
  return std::move(state->as_object());
}

const Node& member(const Object& state, std::string_view key, const fs::path& folder) {
  const Node* node = state.find(key);
  if (node == nullptr) damaged(folder, fmt::format("state.json has no '{}'", key));
  return *node;
}

Object object_in(const Object& state, std::string_view key, const fs::path& folder) {
  const Node& node = member(state, key, folder);
  if (!node.is_object()) damaged(folder, fmt::format("'{}' in state.json is no object", key));
  return node.as_object();
}

std::int64_t count_of(const Node& node, std::string_view key, const fs::path& folder) {
  const auto* count = std::get_if<std::int64_t>(&node.value());
  if (count == nullptr || *count < 0) {
    damaged(folder, fmt::format("'{}' in state.json is no count", key));
  }
  return *count;
}

void check_format(const Object& state, const fs::path& folder) {
  const std::int64_t format = count_of(member(state, "format", folder), "format", folder);
  if (format == kFormat) return;
  throw Error(ErrorKind::data,
              fmt::format("the checkpoint {} has format {}; this version of weft reads format {}",
                          folder.string(), format, kFormat));
}

void check_hashes(const Object& state, const fs::path& folder) {
  for (const auto& [name, hash] : object_in(state, "files", folder)) {
    if (!is_there(folder / name)) damaged(folder, name + " is missing");
    if (!hash.same_value(sha256_of_file(folder / name))) {
      damaged(folder, name + " is not as it was written");
    }
  }
  const HashCheck pipeline = check_pipeline_files(folder / kPipeline);
  if (!pipeline.differences.empty()) damaged(folder, "pipeline/" + pipeline.differences.front());
}

std::map<std::string, OptimizerState> optimizer_in(const Object& updates, const fs::path& folder) {
  const SafeTensors arrays = SafeTensors::read(folder / kOptimizer);
  std::map<std::string, OptimizerState> states;
  for (const auto& [name, count] : updates) {
    OptimizerState state;
    state.updates = count_of(count, "updates", folder);
    for (const Slot& slot : kSlots) {
      if (arrays.contains(name + slot.suffix)) {
        state.*slot.tensor = arrays.tensor(name + slot.suffix);
      }
    }
    states[name] = std::move(state);
  }
  return states;
}

bool fits(const OptimizerState& state, const Tensor& value) {
  return std::all_of(std::begin(kSlots), std::end(kSlots), [&](const Slot& slot) {
    const Tensor& tensor = state.*slot.tensor;
    return !tensor || tensor.shape() == value.shape();
  });
}

}  // namespace

void write_checkpoint(const Checkpoint& checkpoint, const Language& nlp, const fs::path& folder) {
  nlp.to_disk(folder / kPipeline);
  write_optimizer(checkpoint, folder / kOptimizer);
  const std::string state = to_json(state_of(checkpoint, folder));
  write_file(folder / kState, state + "\n" + sha256(state) + "\n");
}

bool is_checkpoint(const fs::path& folder) {
  return is_there(folder / kState);
}

Checkpoint read_checkpoint(const fs::path& folder) {
  if (!is_checkpoint(folder)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no checkpoint", folder.string()));
  }
  const Object state = read_state(folder);
  check_format(state, folder);
  check_hashes(state, folder);
  const Object optimizer = object_in(state, "optimizer", folder);
  Checkpoint checkpoint;
  checkpoint.training = training_state_from(member(state, "training", folder));
  checkpoint.schedule_step =
      count_of(member(optimizer, "schedule_step", folder), "schedule_step", folder);
  checkpoint.optimizer = optimizer_in(object_in(optimizer, "updates", folder), folder);
  checkpoint.components = object_in(state, "components", folder);
  checkpoint.log = member(state, "log", folder);
  checkpoint.meta = object_in(state, "meta", folder);
  checkpoint.data = object_in(state, "data", folder);
  if (const Node* precision = state.find("precision")) checkpoint.precision = *precision;
  return checkpoint;
}

fs::path config_of_checkpoint(const fs::path& folder) {
  fs::path config = folder / kPipeline / "config.cfg";
  require_regular(config);
  return config;
}

void restore_pipeline(const Checkpoint& checkpoint, const fs::path& folder, Language& nlp) {
  nlp.from_disk(folder / kPipeline);
  nlp.meta() = checkpoint.meta;
  for (const auto& [name, state] : checkpoint.components) {
    Component* component = nlp.find(name);
    if (component == nullptr) {
      damaged(folder, fmt::format("it has a component '{}', which the pipeline lacks", name));
    }
    component->set_training_state(state);
  }
}

void restore_optimizer(const Checkpoint& checkpoint, std::span<const NamedParameter> parameters,
                       Optimizer& optimizer) {
  std::map<std::string, const Parameter*> known;
  for (const NamedParameter& named : parameters) known[named.name] = named.parameter;
  for (const auto& [name, state] : checkpoint.optimizer) {
    const auto found = known.find(name);
    if (found == known.end()) {
      throw Error(
          ErrorKind::data,
          fmt::format("the checkpoint has an optimizer state of {}, which the pipeline lacks",
                      name));
    }
    // A layer that grew since its last update starts anew, as it would have without a checkpoint.
    if (fits(state, found->second->value)) optimizer.set_state(name, state);
  }
  optimizer.set_schedule_step(checkpoint.schedule_step);
}

}  // namespace weft
