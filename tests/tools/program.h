// Runs the built program as a user does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::testing_tools {

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

// `weft WORDS...`; `environment` entries are "NAME=value".
Outcome run_weft(const std::vector<std::string>& words,
                 const std::vector<std::string>& environment = {});

// An empty folder of the running test.
std::filesystem::path fresh_folder();

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

// Sentences in the CoNLL format, made up: `count` of them, with two entity types.
std::string small_corpus(int count);

// A config with a small network that trains on two such files within a second or two; the rest of
// the text replaces nothing of it.
std::string small_config(const std::string& more = "");

}  // namespace weft::testing_tools
