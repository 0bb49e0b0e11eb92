// Repeats recorded updates of pretraining:
//
//   conformance_pretrain FOLDER
//
// FOLDER holds examples.jsonl, vectors.txt and for each record NAME.cfg, NAME.json and
// NAME.safetensors (format: tests/conformance/data/pretrain_update/README.md). Prints what differs
// and last `N passed, N failed`; exits 0 only if no record failed and there was one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "components/builtin.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_pretrain/replay.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using weft::conformance::Verdict;

std::vector<std::filesystem::path> records_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> faults_of(const std::filesystem::path& folder,
                                   const std::filesystem::path& file,
                                   const weft::Catalogue& catalogue) {
  try {
    const auto json = nlohmann::json::parse(std::ifstream(file));
    std::filesystem::path arrays = file;
    const auto tensors = weft::SafeTensors::read(arrays.replace_extension(".safetensors"));
    return weft::conformance::replay_pretraining(folder, file.stem().string(), json, tensors,
                                                 catalogue);
  } catch (const std::exception& error) {
    return {error.what()};
  }
}

int run_all(const std::filesystem::path& folder) {
  weft::Catalogue catalogue;
  weft::add_builtin(catalogue);
  weft::conformance::RecordTally tally;
  for (const std::filesystem::path& file : records_in(folder)) {
    const std::vector<std::string> faults = faults_of(folder, file, catalogue);
    for (const std::string& fault : faults)
      std::cout << file.stem().string() << ": " << fault << '\n';
    tally.add(file.filename().string(), faults.empty() ? Verdict::passed : Verdict::failed);
  }
  tally.compare_with_list(folder);
  return tally.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: conformance_pretrain FOLDER\n";
    return 2;
  }
  try {
    return run_all(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
