// The names of classes in a file of records that name the classes of their texts and no others.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class WEFT_API FileClasses {
 public:
  static constexpr std::size_t kMost = 1024;

  // Reads all records of the file; of a pipe, which can be read only once, none. Records that
  // cannot be read are passed over: the reader of the file meets them. Throws as `add`.
  void read(const std::string& file);

  // Throws Error(data), without a place, for more than kMost names.
  void add(const std::string& name);

  // In the order in which they came.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_set<std::string, SeededHash> known_;
};

}  // namespace weft
