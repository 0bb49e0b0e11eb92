// Labels of documents, and what the reference of an example says about each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/text/example.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// In the order in which they were added.
class CategoryLabels {
 public:
  // Whether it is new.
  bool add(std::string_view label);
  std::optional<std::size_t> number(std::string_view label) const;
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t, SeededHash> numbers_;
};

inline constexpr float kNoTruth = -1.0F;

// 1 or 0 for each label, kNoTruth for what the reference does not name; other labels are left out.
// Throws Error(data) with the place of the example for a value that is neither and, of labels that
// exclude each other, for two that are 1.
std::vector<float> category_truth(const Example& example, const CategoryLabels& labels,
                                  bool exclusive);

// Of any kind of value.
double number_of(const CategoryValue& value);

}  // namespace weft
