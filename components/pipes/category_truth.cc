#include "components/pipes/category_truth.h"

#include <variant>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {

namespace {

[[noreturn]] void fail(const Example& example, const std::string& what) {
  throw Error(ErrorKind::data, example.place().before(what));
}

}  // namespace

bool CategoryLabels::add(std::string_view label) {
  if (!numbers_.emplace(label, names_.size()).second) return false;
  names_.emplace_back(label);
  return true;
}

std::optional<std::size_t> CategoryLabels::number(std::string_view label) const {
  const auto found = numbers_.find(std::string(label));
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

double number_of(const CategoryValue& value) {
  return std::visit([](auto kept) { return static_cast<double>(kept); }, value);
}

std::vector<float> category_truth(const Example& example, const CategoryLabels& labels,
                                  bool exclusive) {
  std::vector<float> truth(labels.size(), kNoTruth);
  const std::string* first = nullptr;
  for (const TextCategory& cat : example.reference().cats()) {
    const double value = number_of(cat.value);
    if (value != 0.0 && value != 1.0) {
      fail(example,
           fmt::format("the category \"{}\" is {}; categories to train on are 1 (it has the "
                       "label) or 0 (it does not)",
                       printable_brief(cat.label), value));
    }
    if (exclusive && value == 1.0 && first != nullptr) {
      fail(example, fmt::format("the categories \"{}\" and \"{}\" are both 1, but the labels of "
                                "textcat exclude each other; take textcat_multilabel, or keep one",
                                printable_brief(*first), printable_brief(cat.label)));
    }
    if (value == 1.0) first = &cat.label;
    if (const auto number = labels.number(cat.label)) truth[*number] = static_cast<float>(value);
  }
  return truth;
}

}  // namespace weft
