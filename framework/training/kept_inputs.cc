#include "framework/training/kept_inputs.h"

#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "framework/io/same_file.h"
#include "framework/pipeline/named_inputs.h"
#include "framework/training/run_folder_contents.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Inputs that are folders are left to refuse_within_corpora.
bool writes_over(const fs::path& input, const fs::path& file) {
  std::error_code unknown;
  return !fs::is_directory(input, unknown) && is_input_itself(input, file);
}

[[noreturn]] void refuse(const fs::path& input, std::string_view how) {
  throw Error(ErrorKind::usage,
              fmt::format("{} is read by this run, and {}; give another --output, or move the data",
                          input.string(), how));
}

void refuse_to_lose(const std::vector<fs::path>& inputs, const fs::path& output) {
  for (const fs::path& input : inputs) {
    for (const fs::path& folder : folders_of_run(output)) {
      std::error_code unknown;
      if (fs::equivalent(folder, input, unknown)) refuse(input, "would be replaced by it");
      if (is_input_itself(folder, input)) {
        refuse(input, fmt::format("lies in {}, which the run replaces", folder.string()));
      }
    }
    for (const fs::path& file : files_of_run(output)) {
      if (writes_over(input, file)) {
        refuse(input, fmt::format("{} is written by it", file.string()));
      }
    }
  }
}

void refuse_within_corpora(const std::vector<fs::path>& corpora, const fs::path& output) {
  for (const fs::path& corpus : corpora) {
    std::error_code unknown;
    if (!fs::is_directory(corpus, unknown) || !is_input_itself(corpus, output / "run.json")) {
      continue;
    }
    throw Error(ErrorKind::usage,
                fmt::format("the output {} lies in {}, a folder of training data: files of the run "
                            "would count as data; give another --output",
                            output.string(), corpus.string()));
  }
}

// Every string of a logger may name a file, below the output or not.
void refuse_loggers_over(const std::vector<fs::path>& inputs, const Node& logger,
                         const fs::path& output) {
  if (logger.is_object()) {
    for (const auto& [key, value] : logger.as_object()) {
      refuse_loggers_over(inputs, value, output);
    }
  }
  if (logger.is_list()) {
    for (const Node& value : logger.as_list()) refuse_loggers_over(inputs, value, output);
  }
  if (!logger.is_string() || logger.as_string().empty()) return;
  const fs::path file = logger.as_string();
  for (const fs::path& input : inputs) {
    if (!writes_over(input, file) && !writes_over(input, output / file)) continue;
    refuse(input, "[training.logger] writes it");
  }
}

}  // namespace

void refuse_to_lose_inputs(const Config& values, const fs::path& output) {
  const std::vector<fs::path> inputs = named_inputs(values);
  refuse_within_corpora(named_corpora(values), output);
  refuse_to_lose(inputs, output);
  if (const Node* logger = values.find("training.logger")) {
    refuse_loggers_over(inputs, *logger, output);
  }
}

void refuse_to_lose_corpora(const Config& values, const fs::path& output) {
  const std::vector<fs::path> corpora = named_corpora(values);
  refuse_within_corpora(corpora, output);
  refuse_to_lose(corpora, output);
}

}  // namespace weft
