#include "framework/training/resumed_state.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "framework/training/checkpoint_files.h"
#include "framework/training/growing_loss.h"
#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void fail(const Checkpoint& checkpoint, std::string_view key) {
  damaged_checkpoint(checkpoint.folder, fmt::format("state.json has no valid '{}'", key));
}

// The logger of the config and the run's own log; earlier versions kept the length alone of that.
bool are_places(const Node& logs) {
  if (!logs.is_list() || logs.as_list().size() != 2) return false;
  const Node& own = logs.as_list().back();
  return own.is_object() || own.is_integer();
}

void check_history(const Checkpoint& checkpoint) {
  try {
    LossHistory().restore(checkpoint.loss_history);
  } catch (const Error&) {
    fail(checkpoint, "loss_history");
  }
}

}  // namespace

void check_resumed_state(const Checkpoint& checkpoint) {
  if (!are_places(checkpoint.log)) fail(checkpoint, "log");
  check_history(checkpoint);
}

}  // namespace weft
