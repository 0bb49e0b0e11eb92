#include <algorithm>
#include <cstdint>

#include "registry/base/seeded_hash.h"
#include "registry/value/config.h"

namespace weft {

// Open addressing over the places of the entries; the keys themselves stay in the entries.
struct Object::Index {
  static constexpr std::size_t kThreshold = 12;  // below it a linear search is faster
  static constexpr std::uint32_t kFree = UINT32_MAX;

  explicit Index(const std::vector<Entry>& entries) { rebuild(entries); }

  void rebuild(const std::vector<Entry>& entries) {
    std::size_t size = 32;
    while (size < entries.size() * 3) size *= 2;
    slots.assign(size, kFree);
    for (std::size_t i = 0; i < entries.size(); ++i) insert(entries[i].key, i);
  }

  std::size_t first_slot(std::string_view key) const {
    return seeded_hash(key) & (slots.size() - 1);
  }

  void insert(std::string_view key, std::size_t place) {
    std::size_t slot = first_slot(key);
    while (slots[slot] != kFree) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = static_cast<std::uint32_t>(place);
  }

  std::uint32_t find(std::string_view key, const std::vector<Entry>& entries) const {
    std::size_t slot = first_slot(key);
    while (slots[slot] != kFree && entries[slots[slot]].key != key) {
      slot = (slot + 1) & (slots.size() - 1);
    }
    return slots[slot];
  }

  std::vector<std::uint32_t> slots;
};

Object::Object() = default;
Object::Object(const Object& other) : entries_(other.entries_) {
  if (other.index_) index_ = std::make_unique<Index>(*other.index_);
}
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(const Object& other) {
  if (this != &other) *this = Object(other);
  return *this;
}
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

std::size_t Object::size() const {
  return entries_.size();
}

const Node* Object::find(std::string_view key) const {
  if (index_) {
    const std::uint32_t place = index_->find(key, entries_);
    return place == Index::kFree ? nullptr : &entries_[place].node;
  }
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries_.end() ? nullptr : &found->node;
}

Node* Object::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Object*>(this)->find(key));
}

Node& Object::set(std::string_view key, Node value) {
  if (Node* found = find(key)) {
    *found = std::move(value);
    return *found;
  }
  entries_.push_back({std::string(key), std::move(value)});
  if (index_ && entries_.size() * 2 <= index_->slots.size()) {
    index_->insert(key, entries_.size() - 1);
  } else if (index_) {
    index_->rebuild(entries_);
  } else if (entries_.size() > Index::kThreshold) {
    index_ = std::make_unique<Index>(entries_);
  }
  return entries_.back().node;
}

bool Object::erase(std::string_view key) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return false;
  entries_.erase(found);
  if (index_) index_->rebuild(entries_);
  return true;
}

Object::Entry* Object::begin() {
  return entries_.data();
}
Object::Entry* Object::end() {
  return entries_.data() + entries_.size();
}
const Object::Entry* Object::begin() const {
  return entries_.data();
}
const Object::Entry* Object::end() const {
  return entries_.data() + entries_.size();
}

}  // namespace weft
