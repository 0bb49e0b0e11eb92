#include "framework/pipeline/named_inputs.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "framework/pipeline/replaceable_folder.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReading[] = {"nlp",        "components", "corpora",
                                         "initialize", "training",   "pretraining"};

// But for what stands below `left_out`, which may be null.
void add_named(const Node& node, const Node* left_out, std::vector<fs::path>& found) {
  if (&node == left_out) return;
  if (node.is_object()) {
    for (const auto& [key, value] : node.as_object()) add_named(value, left_out, found);
  } else if (node.is_list()) {
    for (const Node& value : node.as_list()) add_named(value, left_out, found);
  } else if (node.is_string() && !node.as_string().empty()) {
    const fs::path path = node.as_string();
    std::error_code unknown;  // of a text that is too long for a path, for example
    if (!fs::exists(path, unknown)) return;
    if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
  }
}

}  // namespace

std::vector<fs::path> named_inputs(const Config& values) {
  std::vector<fs::path> found;
  const Node* const logger = values.find("training.logger");  // names what it writes
  for (const std::string_view section : kReading) {
    if (const Node* node = values.find(section)) add_named(*node, logger, found);
  }
  return found;
}

std::vector<fs::path> named_corpora(const Config& values) {
  std::vector<fs::path> found;
  if (const Node* node = values.find("corpora")) add_named(*node, nullptr, found);
  return found;
}

void refuse_inputs_within(const fs::path& folder, const Config& values) {
  for (const fs::path& input : named_inputs(values)) refuse_input_within(folder, input);
}

}  // namespace weft
