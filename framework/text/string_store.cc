#include "framework/text/string_store.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "registry/base/seeded_hash.h"

namespace weft {

std::size_t StringTable::slot_of(StringId id) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = seeded_hash(id) & mask;  // texts with any id can be made
  while (slots_[slot].id != 0 && slots_[slot].id != id) slot = (slot + 1) & mask;
  return slot;
}

void StringTable::resize(std::size_t slots) {
  std::vector<Slot> old(slots);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.id != 0) slots_[slot_of(slot.id)] = slot;
  }
}

void StringTable::reserve(std::size_t size) {
  const std::size_t slots = std::bit_ceil(size + size / 3 + 2);  // three of four taken at most
  if (slots > slots_.size()) resize(slots);
}

// Texts stand in blocks that never move, so views into them stay valid as the table grows. Behind
// each block are bytes that may be read, not used: short texts are copied by fixed-size moves.
std::string_view StringTable::keep(std::string_view text) {
  constexpr std::size_t kBlock = 4096;
  if (text.size() > room_) {
    room_ = std::max(text.size(), blocks_.empty() ? std::size_t{64} : kBlock);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_ + kSlack));
    end_ = blocks_.back().get();
  }
  char* const place = end_;
  std::copy(text.begin(), text.end(), place);
  end_ += text.size();
  room_ -= text.size();
  return {place, text.size()};
}

StringId StringTable::add(std::string_view text) {
  const StringId id = string_id(text);
  if (id <= kSymbolCount) return id;
  if (4 * (size_ + 1) > 3 * slots_.size()) {
    resize(std::max<std::size_t>(16, 2 * slots_.size()));
  }
  Slot& slot = slots_[slot_of(id)];
  if (slot.id == 0) {
    slot = {id, keep(text)};
    ++size_;
  }
  return id;
}

std::optional<std::string_view> StringTable::find(StringId id) const {
  if (id <= kSymbolCount) return symbol_name(id);
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[slot_of(id)];
  if (slot.id == 0) return std::nullopt;
  return slot.text;
}

std::vector<std::string_view> StringTable::sorted() const {
  std::vector<std::string_view> texts;
  for (const Slot& slot : slots_) {
    if (slot.id != 0) texts.push_back(slot.text);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Most texts are known, and many threads may look at the same time; the lock is taken for writing
// only for one that is not. Another thread may add it in between, which `add` finds again.
StringId StringStore::add(std::string_view text) {
  const StringId id = string_id(text);
  {
    const std::shared_lock lock(mutex_);
    if (table_.find(id)) return id;
  }
  const std::unique_lock lock(mutex_);
  return table_.add(text);
}

void StringStore::add_all(std::span<const std::string> texts) {
  const std::unique_lock lock(mutex_);
  table_.reserve(table_.size() + texts.size());
  for (const std::string& text : texts) table_.add(text);
}

void StringStore::add_later(std::function<std::vector<std::string>()> read) {
  const std::unique_lock lock(mutex_);
  late_.push_back(std::move(read));
}

// Called with the lock held for writing.
StringTable& StringStore::whole_table() const {
  for (; !late_.empty(); late_.pop_back()) {
    const std::vector<std::string> texts = late_.back()();
    table_.reserve(table_.size() + texts.size());
    for (const std::string& text : texts) table_.add(text);
  }
  return table_;
}

std::optional<std::string_view> StringStore::find(StringId id) const {
  {
    const std::shared_lock lock(mutex_);
    const auto found = table_.find(id);
    if (found || late_.empty()) return found;
  }
  const std::unique_lock lock(mutex_);
  return whole_table().find(id);
}

std::size_t StringStore::size() const {
  const std::unique_lock lock(mutex_);
  return whole_table().size();
}

std::vector<std::string> StringStore::sorted() const {
  const std::unique_lock lock(mutex_);
  const std::vector<std::string_view> views = whole_table().sorted();
  return {views.begin(), views.end()};
}

}  // namespace weft
