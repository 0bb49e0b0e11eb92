// The names of classes, in the order of their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/pipeline/label_limit.h"
#include "framework/text/string_store.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"
#include "registry/value/config.h"

namespace weft {

class WEFT_API LabelList {
 public:
  // Whether the label is new. Its text goes into `strings`, which documents look it up in. Throws
  // Error(data), without a place, for one beyond kMostClasses.
  bool add(std::string_view label, StringStore& strings);
  void clear();

  std::int64_t size() const { return static_cast<std::int64_t>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name(std::int64_t number) const {
    return names_[static_cast<std::size_t>(number)];
  }
  StringId id(std::int64_t number) const { return ids_[static_cast<std::size_t>(number)]; }
  // The class of the label with that text.
  std::optional<std::int32_t> find(StringId id) const;
  List to_list() const;
  // Adds all of a JSON list. Throws Error(data), placed in `source`, for what is no list of texts,
  // and where there are more than `most` labels then.
  void add_list(const Node& list, const std::string& source, StringStore& strings,
                std::int64_t most = kMostClasses);

 private:
  std::vector<std::string> names_;
  std::vector<StringId> ids_;
  std::unordered_map<StringId, std::int32_t, SeededHash> numbers_;
};

}  // namespace weft
