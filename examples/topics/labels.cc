#include "labels.h"

#include <algorithm>
#include <set>
#include <variant>

#include "framework/text/example.h"
#include "registry/base/error.h"

namespace topics {

std::string label_of(const weft::Doc& doc) {
  const auto is_set = [](const weft::TextCategory& cat) {
    return std::visit([](auto value) { return static_cast<double>(value) > 0.5; }, cat.value);
  };
  const auto found = std::find_if(doc.cats().begin(), doc.cats().end(), is_set);
  return found == doc.cats().end() ? "" : found->label;
}

std::vector<std::string> labels_of(weft::ExampleStream& examples) {
  std::set<std::string> labels;
  while (const weft::ExamplePtr example = examples.next()) {
    labels.insert(label_of(example->reference()));
  }
  labels.erase("");
  return {labels.begin(), labels.end()};
}

std::vector<std::string> names_in(const weft::Node* list, const std::string& source) {
  const auto is_name = [](const weft::Node& node) { return node.is_string(); };
  if (list == nullptr || !list->is_list() || !std::ranges::all_of(list->as_list(), is_name)) {
    throw weft::Error(weft::ErrorKind::data, source + " holds no list of labels");
  }
  std::vector<std::string> names;
  for (const weft::Node& name : list->as_list()) names.push_back(name.as_string());
  return names;
}

}  // namespace topics
