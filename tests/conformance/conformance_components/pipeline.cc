// A folder with a saved pipeline in `model/` and what the reference recorded of it.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "framework/pipeline/build_pipeline.h"
#include "tests/conformance/conformance_components/predictions.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/unpacked.h"
#include "tests/conformance/conformance_components/updates.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kFewestUpdates = 2;

std::vector<std::filesystem::path> updates_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("update_") && name.ends_with(".json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.size() < kFewestUpdates) throw std::runtime_error("updates are missing");
  return files;
}

}  // namespace

void replay_pipeline(const std::filesystem::path& folder, const Json& manifest,
                     const Catalogue& catalogue, Checks& checks) {
  const Unpacked model(folder / "model");
  const auto nlp = load_pipeline(model.folder(), catalogue);
  if (checks.open(folder / "expected.jsonl")) {
    const int lines = check_predictions(*nlp, folder / "expected.jsonl", checks);
    checks.equal("manifest.json", "lines", lines, manifest.at("expected"));
  }
  if (manifest.value("examples", 0) == 0) return;
  check_parameters(*nlp, folder / "parameters.json", checks);
  for (const std::filesystem::path& update : updates_in(folder)) {
    // Every update starts from the weights that were saved.
    const auto trained = load_pipeline(model.folder(), catalogue);
    check_update(*trained, update, folder / "examples.jsonl", catalogue, checks);
  }
}

}  // namespace weft::conformance
