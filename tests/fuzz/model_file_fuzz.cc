// Any bytes as the `model` file of a small tree of layers: refused, or what was read is written and
// read again.
#include <memory>

#include "framework/nn/model.h"
#include "framework/nn/model_file.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

weft::Forward no_forward(weft::Context&, const weft::Model&, const weft::Value&) {
  return {};
}

// Sizes are left open, so that the file decides them.
weft::ModelPtr tree() {
  auto root = std::make_shared<weft::Model>("root", no_forward);
  auto linear = std::make_shared<weft::Model>("linear", no_forward);
  linear->declare_dim("nO");
  linear->declare_param("W", {"nO", "nI"});
  linear->declare_param("b", {"nO"});
  linear->set_attr("columns", weft::List{"NORM", "SHAPE"});
  linear->set_attr("rate", 0.25);
  root->layers() = {linear, std::make_shared<weft::Model>("other", no_forward)};
  root->set_ref("output", linear);
  return root;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const weft::ModelPtr model = tree();
    weft::model_from_bytes(*model, weft::as_text(data, size), "fuzz");
    written = weft::model_to_bytes(*model);
  } catch (const weft::Error&) {
    return 0;
  }
  const weft::ModelPtr again = tree();
  weft::model_from_bytes(*again, written, "fuzz");
  weft::fuzz::check(weft::model_to_bytes(*again) == written, "written anew it differs", "");
  return 0;
}
