// Texts by their ids. A StringTable is a plain container for one owner; a StringStore is shared
// between threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

// Grows only; views into it stay valid as long as it lives, and kSlack bytes behind each can be
// read (their values mean nothing). Reserved names are never stored.
class WEFT_API StringTable {
 public:
  static constexpr std::size_t kSlack = 16;

  // The id of `text`, which can be looked up from now on.
  StringId add(std::string_view text);
  // Room for so many texts in all, which spares growing.
  void reserve(std::size_t size);
  // The text of an id, or nothing if it is neither here nor reserved.
  std::optional<std::string_view> find(StringId id) const;
  std::size_t size() const { return size_; }
  // The stored texts, sorted by their bytes (which is by code point).
  std::vector<std::string_view> sorted() const;

 private:
  struct Slot {
    StringId id = 0;  // 0 = free
    std::string_view text;
  };
  // The slot that holds an id or where it belongs; only where there are slots.
  std::size_t slot_of(StringId id) const;
  void resize(std::size_t slots);
  std::string_view keep(std::string_view text);

  std::vector<Slot> slots_;  // open addressing, a power of two
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;  // of characters
  char* end_ = nullptr;                          // where the last block is free
  std::size_t room_ = 0;                         // bytes from there on
};

// The names of a whole pipeline: labels, tags, keys, norms of exceptions. Words of documents do not
// go in here (a Doc holds its own), so that a long stream of new words does not fill it. All
// functions may be called by several threads at once.
class WEFT_API StringStore {
 public:
  StringId add(std::string_view text);
  void add_all(std::span<const std::string> texts);
  // The texts that `read` gives are in here from now on, but they are hashed and `read` is called
  // only when somebody asks for an id that is not among the others, or for all of them: a short
  // text is annotated before that.
  void add_later(std::function<std::vector<std::string>()> read);
  std::optional<std::string_view> find(StringId id) const;
  std::size_t size() const;
  // Copies, sorted by code point.
  std::vector<std::string> sorted() const;

 private:
  // The table with everything in it; under the lock.
  StringTable& whole_table() const;

  mutable std::shared_mutex mutex_;
  mutable StringTable table_;
  mutable std::vector<std::function<std::vector<std::string>()>> late_;
};

}  // namespace weft
