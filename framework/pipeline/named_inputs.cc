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

void add_if_there(const Node& text, std::vector<fs::path>& found) {
  if (text.as_string().empty()) return;
  const fs::path path = text.as_string();
  std::error_code unknown;  // of a text that is too long for a path, for example
  if (!fs::exists(path, unknown)) return;
  if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
}

// But for what stands below those that are left out.
void add_named(const Node& node, const std::vector<const Node*>& left_out,
               std::vector<fs::path>& found) {
  if (std::find(left_out.begin(), left_out.end(), &node) != left_out.end()) return;
  if (node.is_object()) {
    for (const auto& [key, value] : node.as_object()) {
      if (!key.starts_with('@')) add_named(value, left_out, found);
    }
  } else if (node.is_list()) {
    for (const Node& value : node.as_list()) add_named(value, left_out, found);
  } else if (node.is_string()) {
    add_if_there(node, found);
  }
}

// A logger names what it writes; the others are names of languages, components and factories.
std::vector<const Node*> settings_without_inputs(const Config& values) {
  std::vector<const Node*> all;
  for (const char* setting : {"training.logger", "nlp.lang", "nlp.pipeline", "nlp.disabled"}) {
    if (const Node* node = values.find(setting)) all.push_back(node);
  }
  const Node* components = values.find("components");
  if (components == nullptr || !components->is_object()) return all;
  for (const auto& [name, block] : components->as_object()) {
    if (!block.is_object()) continue;
    if (const Node* factory = block.as_object().find("factory")) all.push_back(factory);
  }
  return all;
}

void add_strings(const Node& value, std::vector<fs::path>& found) {
  if (value.is_string()) add_if_there(value, found);
  if (!value.is_list()) return;
  for (const Node& one : value.as_list()) {
    if (one.is_string()) add_if_there(one, found);
  }
}

// The arguments of readers, those of others among them: a tag or a word that an augmenter lists is
// no file, whatever lies in the working directory.
void add_read(const Node& node, std::vector<fs::path>& found) {
  if (!node.is_object()) return;
  const Object& block = node.as_object();
  const bool is_reader = block.contains("@readers");
  for (const auto& [key, value] : block) {
    if (is_reader && !key.starts_with('@')) add_strings(value, found);
    add_read(value, found);
  }
}

}  // namespace

std::vector<fs::path> named_inputs(const Config& values) {
  std::vector<fs::path> found;
  const std::vector<const Node*> left_out = settings_without_inputs(values);
  for (const std::string_view section : kReading) {
    if (const Node* node = values.find(section)) add_named(*node, left_out, found);
  }
  return found;
}

std::vector<fs::path> named_corpora(const Config& values) {
  std::vector<fs::path> found;
  if (const Node* node = values.find("corpora")) add_read(*node, found);
  return found;
}

void refuse_inputs_within(const fs::path& folder, const Config& values) {
  for (const fs::path& input : named_inputs(values)) refuse_input_within(folder, input);
}

}  // namespace weft
