// Small training runs that differ in what a resumed run has to take up again: batcher, reader,
// logger, optimizer, streaming. And what has to be equal after them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft::testing_tools {

struct SmallRun {
  std::string name;
  std::filesystem::path config;  // complete; logs of its own go to the working directory
};

// Writes the data and the configs of all of them into `folder`.
std::vector<SmallRun> write_small_runs(const std::filesystem::path& folder);

// Every file below a folder that a run determines, by name: run.json tells about machines and parts
// and is left out, as are the objects `time` of logs and states.
std::map<std::string, std::string> results_of(const std::filesystem::path& folder);

// The names of the files that differ or that one side lacks, joined; "" if there are none.
std::string difference(const std::map<std::string, std::string>& left,
                       const std::map<std::string, std::string>& right);

// A fresh folder of the running test for runs that write and sync much: in memory where the system
// has such a place.
std::filesystem::path quick_folder();

}  // namespace weft::testing_tools
