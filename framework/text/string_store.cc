#include "framework/text/string_store.h"

#include <algorithm>
#include <mutex>

namespace weft {

StringId StringTable::add(std::string_view text) {
  const StringId id = string_id(text);
  if (id > kSymbolCount && !views_.contains(id)) {
    views_.emplace(id, texts_.emplace_back(text));
  }
  return id;
}

std::optional<std::string_view> StringTable::find(StringId id) const {
  if (id <= kSymbolCount) return symbol_name(id);
  const auto found = views_.find(id);
  if (found == views_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string_view> StringTable::sorted() const {
  std::vector<std::string_view> texts(texts_.begin(), texts_.end());
  std::sort(texts.begin(), texts.end());
  return texts;
}

StringId StringStore::add(std::string_view text) {
  const StringId id = string_id(text);
  {
    const std::shared_lock lock(mutex_);
    if (table_.find(id)) return id;
  }
  const std::unique_lock lock(mutex_);
  return table_.add(text);
}

std::optional<std::string_view> StringStore::find(StringId id) const {
  const std::shared_lock lock(mutex_);
  return table_.find(id);
}

std::size_t StringStore::size() const {
  const std::shared_lock lock(mutex_);
  return table_.size();
}

std::vector<std::string> StringStore::sorted() const {
  const std::shared_lock lock(mutex_);
  const std::vector<std::string_view> views = table_.sorted();
  return {views.begin(), views.end()};
}

}  // namespace weft
