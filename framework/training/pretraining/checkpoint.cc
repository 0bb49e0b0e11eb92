#include "framework/training/pretraining/checkpoint.h"

#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/sha256.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFormat = 1;
constexpr const char* kNetwork = "model";

void check_hashes(const Object& state, const fs::path& folder) {
  const Object files = object_in(state, "files", folder);
  for (const char* name : {kOptimizerFile, kNetwork}) {
    if (!is_there(folder / name)) damaged_checkpoint(folder, fmt::format("{} is missing", name));
    if (member(files, name, folder).same_value(sha256_of_file(folder / name))) continue;
    damaged_checkpoint(folder, fmt::format("{} is not as it was written", name));
  }
}

PretrainState state_in(const Object& sealed, const fs::path& folder) {
  try {
    return pretrain_state_from(member(sealed, "state", folder));
  } catch (const Error& error) {
    damaged_checkpoint(folder, error.message());
  }
}

}  // namespace

void write_pretrain_checkpoint(const PretrainCheckpoint& checkpoint, const Model& network,
                               const fs::path& folder) {
  write_model(folder / kNetwork, network);
  write_optimizer_states(checkpoint.optimizer, folder / kOptimizerFile);
  Object files;
  for (const char* name : {kOptimizerFile, kNetwork}) {
    files.set(name, sha256_of_file(folder / name));
  }
  Object state;
  state.set("pretraining_format", kFormat);
  state.set("state", to_node(checkpoint.state));
  state.set("schedule_step", checkpoint.schedule_step);
  state.set("updates", update_counts(checkpoint.optimizer));
  state.set("log", checkpoint.log);
  state.set("data", checkpoint.data);
  state.set("files", std::move(files));
  write_sealed_state(state, folder);
}

PretrainCheckpoint read_pretrain_checkpoint(const fs::path& folder) {
  if (!is_there(folder / kSealedState)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no checkpoint", folder.string()));
  }
  const Object state = read_sealed_state(folder);
  const Node* format = state.find("pretraining_format");
  if (format == nullptr || !format->same_value(Node(kFormat))) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no checkpoint of a pretraining run of this version of weft",
                            folder.string()));
  }
  check_hashes(state, folder);
  PretrainCheckpoint checkpoint;
  checkpoint.state = state_in(state, folder);
  checkpoint.schedule_step =
      count_of(member(state, "schedule_step", folder), "schedule_step", folder);
  checkpoint.optimizer = read_optimizer_states(object_in(state, "updates", folder), folder);
  checkpoint.log = member(state, "log", folder);
  checkpoint.data = object_in(state, "data", folder);
  return checkpoint;
}

void restore_network(const fs::path& folder, Model& network) {
  const fs::path file = folder / kNetwork;
  if (model_from_bytes(network, MappedFile(file).bytes(), file.string())) return;
  damaged_checkpoint(folder, fmt::format("{} has no weights", kNetwork));
}

}  // namespace weft
