// Repeats recorded training updates of a pipeline:
//
//   conformance_update PIPELINE FOLDER
//
// FOLDER holds examples.jsonl, parameters.json and pairs NAME.json, NAME.safetensors (format:
// tests/conformance/data/README.md). Prints what differs and last `N passed, N failed`; exits 0
// only if no record failed and there was one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "components/builtin.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_update/optimizer_steps.h"
#include "tests/conformance/conformance_update/replay.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using weft::conformance::Faults;
using weft::conformance::Replay;
using weft::conformance::Verdict;

std::vector<std::filesystem::path> records_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == ".json" && file.stem() != "parameters") files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

Faults check(Replay& replay, const nlohmann::json& json, const weft::SafeTensors& tensors,
             const weft::Catalogue& catalogue) {
  Faults faults;
  if (json.contains("steps")) {
    weft::conformance::check_optimizer_steps(replay, json, tensors, catalogue, faults);
    return faults;
  }
  const auto record = weft::conformance::update_record(json);
  replay.run(record, tensors, faults);
  replay.compare_gradients(record, tensors, faults);
  return faults;
}

int run_all(const std::filesystem::path& pipeline, const std::filesystem::path& folder) {
  weft::Catalogue catalogue;
  weft::add_builtin(catalogue);
  weft::conformance::RecordTally tally;
  for (std::filesystem::path file : records_in(folder)) {
    const auto json = nlohmann::json::parse(std::ifstream(file));
    const std::string name = file.stem().string(), record = file.filename().string();
    const auto tensors = weft::SafeTensors::read(file.replace_extension(".safetensors"));
    Replay replay(pipeline, folder, catalogue);
    const Faults faults = check(replay, json, tensors, catalogue);
    for (const std::string& fault : faults) std::cout << name << ": " << fault << '\n';
    tally.add(record, faults.empty() ? Verdict::passed : Verdict::failed);
  }
  tally.compare_with_list(folder);
  return tally.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: conformance_update PIPELINE FOLDER\n";
    return 2;
  }
  try {
    return run_all(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
