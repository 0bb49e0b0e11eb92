// Any bytes as the `state.json` of a pretraining checkpoint: as the whole file, or, where the first
// byte is odd, as its object, with the hash behind it and the other files' hashes as they are; and
// as the name of a file of weights.
#include "framework/training/log_file.h"
#include "framework/training/pretraining/checkpoint.h"
#include "framework/training/pretraining/pretrain.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/sealed_state.h"

namespace {

const weft::fuzz::FuzzFolder& folder() {
  static const weft::fuzz::FuzzFolder made;
  return made;
}

weft::ModelPtr small_network() {
  auto model = std::make_shared<weft::Model>(
      "weight", [](weft::Context&, const weft::Model&, const weft::Value& x) {
        return weft::Forward{x, {}};
      });
  model->set_param("W", weft::Tensor::zeros({2, 2}));
  return model;
}

void check_state(const weft::PretrainState& state) {
  const std::string written = weft::to_json(to_node(state));
  const auto read = weft::parse_json(written);
  weft::fuzz::check(read && weft::to_json(to_node(weft::pretrain_state_from(*read))) == written,
                    "a state does not come back", written);
}

void resume(weft::Model& network) {
  const weft::PretrainCheckpoint checkpoint = weft::read_pretrain_checkpoint(folder().path());
  check_state(checkpoint.state);
  weft::restore_network(folder().path(), network);
  const weft::LogFile log({folder().path() / "log.jsonl"}, checkpoint.log);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::ModelPtr network = [] {
    auto made = small_network();
    weft::write_pretrain_checkpoint({}, *made, folder().path());
    folder().write("log.jsonl", "{}\n");
    return made;
  }();
  if (size == 0) return 0;
  const std::string_view bytes = weft::as_text(data + 1, size - 1);
  (void)weft::pass_after(std::filesystem::path(bytes));
  folder().write("state.json",
                 (data[0] & 1) != 0
                     ? weft::fuzz::sealed_state(bytes, folder(), {"optimizer.safetensors", "model"})
                     : std::string(bytes));
  try {
    resume(*network);
  } catch (const weft::Error&) {
  }
  return 0;
}
