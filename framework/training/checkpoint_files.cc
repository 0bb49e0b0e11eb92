#include "framework/training/checkpoint_files.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/safetensors.h"
#include "framework/io/safetensors_writer.h"
#include "framework/text/printable.h"
#include "framework/training/state.h"
#include "framework/training/step_bounds.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct Slot {
  const char* suffix;
  Tensor OptimizerState::*tensor;
};
constexpr Slot kSlots[] = {{".mom1", &OptimizerState::mom1},
                           {".mom2", &OptimizerState::mom2},
                           {".average", &OptimizerState::average}};

bool fits(const OptimizerState& state, const Tensor& value) {
  return std::all_of(std::begin(kSlots), std::end(kSlots), [&](const Slot& slot) {
    const Tensor& tensor = state.*slot.tensor;
    return !tensor || tensor.shape() == value.shape();
  });
}

Tensor finite_array(const SafeTensors& arrays, const std::string& name, const fs::path& folder) {
  Tensor array = arrays.tensor(name);
  const DType type = array.dtype();
  if (type != DType::f32 && type != DType::f16 && type != DType::bf16) {
    damaged_checkpoint(folder, fmt::format("{} in {} has no numbers of 16 or 32 bits",
                                           printable_brief(name), kOptimizerFile));
  }
  if (largest_of(array) == StepBounds::unknown) {
    damaged_checkpoint(folder, fmt::format("{} in {} holds a NaN or an infinity",
                                           printable_brief(name), kOptimizerFile));
  }
  return array;
}

// Throws where moments of a parameter would be lost, as state.json does not know it.
void check_all_counted(const SafeTensors& arrays, const Object& counts, const fs::path& folder) {
  for (const std::string& name : arrays.names()) {
    const std::string parameter = name.substr(0, name.rfind('.'));
    if (counts.contains(parameter)) continue;
    damaged_checkpoint(
        folder, fmt::format("'updates' in state.json lacks {}, of which {} has {}",
                            printable_brief(parameter), kOptimizerFile, printable_brief(name)));
  }
}

}  // namespace

void damaged_checkpoint(const fs::path& folder, const std::string& what) {
  throw Error(ErrorKind::data,
              fmt::format("the checkpoint {} is damaged: {}", folder.string(), what));
}

void write_sealed_state(const Object& state, const fs::path& folder) {
  const std::string text = to_json(state);
  // One line of JSON, then its hash: a file that was cut or edited is recognised before anything in
  // it is believed.
  write_file(folder / kSealedState, text + "\n" + sha256(text) + "\n");
}

Object read_sealed_state(const fs::path& folder) {
  const std::string text = read_file(folder / kSealedState, kMostSettings);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos || text.substr(end + 1) != sha256(text.substr(0, end)) + "\n") {
    damaged_checkpoint(folder, "state.json is not as it was written");
  }
  auto state = parse_json(std::string_view(text).substr(0, end));
  if (!state || !state->is_object()) damaged_checkpoint(folder, "state.json is no JSON object");
  return std::move(state->as_object());
}

const Node& member(const Object& state, std::string_view key, const fs::path& folder) {
  const Node* node = state.find(key);
  if (node == nullptr) damaged_checkpoint(folder, fmt::format("state.json has no '{}'", key));
  return *node;
}

Object object_in(const Object& state, std::string_view key, const fs::path& folder) {
  const Node& node = member(state, key, folder);
  if (!node.is_object()) {
    damaged_checkpoint(folder, fmt::format("'{}' in state.json is no object", key));
  }
  return node.as_object();
}

std::int64_t count_of(const Node& node, std::string_view key, const fs::path& folder) {
  const auto* count = std::get_if<std::int64_t>(&node.value());
  if (count == nullptr || !is_count(*count)) {
    damaged_checkpoint(folder, fmt::format("'{}' in state.json is no count", key));
  }
  return *count;
}

Object update_counts(const OptimizerStates& states) {
  Object updates;
  for (const auto& [name, state] : states) updates.set(name, state.updates);
  return updates;
}

void write_optimizer_states(const OptimizerStates& states, const fs::path& file) {
  std::map<std::string, Tensor> arrays;
  for (const auto& [name, state] : states) {
    for (const Slot& slot : kSlots) {
      const Tensor& array = state.*slot.tensor;
      if (!array) continue;
      // Nobody could train on from it, and it would take the place of a checkpoint that is sound.
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

OptimizerStates read_optimizer_states(const Object& counts, const fs::path& folder) {
  // state.json says which parameters were updated. Which arrays each of them has, the optimizer
  // knows that takes them.
  const SafeTensors arrays = SafeTensors::read(folder / kOptimizerFile);
  check_all_counted(arrays, counts, folder);
  OptimizerStates states;
  for (const auto& [name, count] : counts) {
    OptimizerState state;
    state.updates = count_of(count, "updates", folder);
    for (const Slot& slot : kSlots) {
      const std::string array = name + slot.suffix;
      if (arrays.contains(array)) state.*slot.tensor = finite_array(arrays, array, folder);
    }
    states[name] = std::move(state);
  }
  return states;
}

void take_optimizer_states(const OptimizerStates& states,
                           std::span<const NamedParameter> parameters, Optimizer& optimizer,
                           const fs::path& folder) {
  std::map<std::string, const Parameter*> known;
  for (const NamedParameter& named : parameters) known[named.name] = named.parameter;
  for (const auto& [name, state] : states) {
    const auto found = known.find(name);
    if (found == known.end()) {
      throw Error(ErrorKind::data,
                  fmt::format("the checkpoint {} has an optimizer state of {}, which the pipeline "
                              "lacks",
                              folder.string(), printable_brief(name)));
    }
    // A layer that grew since its last update starts anew, as it would have without a checkpoint.
    if (!fits(state, found->second->value)) continue;
    if (!optimizer.is_complete(state)) {
      damaged_checkpoint(folder, fmt::format("{} in {} lacks a moment or the average",
                                             printable_brief(name), kOptimizerFile));
    }
    optimizer.set_state(name, state);
  }
}

}  // namespace weft
