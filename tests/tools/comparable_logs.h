// Logs of two equal runs without that which depends on the clock or was drawn.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::testing_tools {

struct ComparableLog {
  std::filesystem::path name;  // without dates and ids
  std::string text;            // steps, names and numbers
};

// For CSV files, event files, and the files of W&B and MLflow; nothing for another file, and an
// empty text for one that tells of no evaluation.
std::optional<ComparableLog> comparable_log(const std::filesystem::path& name,
                                            const std::string& contents);

}  // namespace weft::testing_tools
