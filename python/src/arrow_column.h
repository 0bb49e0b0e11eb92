// A column that is handed over by Arrow's C data interface, and ways to fill one.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow_format.h"

namespace weft::python {

// Without nulls. Shared by all that hold its buffers.
struct ArrowColumn {
  std::string name;
  std::string format;  // "l": int64, "+s": struct ...
  std::int64_t length = 0;
  std::vector<std::vector<char>> buffers = {};  // behind the one of nulls, which is not there
  std::vector<std::shared_ptr<const ArrowColumn>> children = {};
  std::shared_ptr<const ArrowColumn> dictionary = nullptr;
};
using ArrowColumnPtr = std::shared_ptr<const ArrowColumn>;

// Each fills `out`, whose `release` frees what it holds of the column.
void export_schema(const ArrowColumnPtr& column, ArrowSchema& out);
void export_array(const ArrowColumnPtr& column, ArrowArray& out);

template <class Number>
void append(std::vector<char>& buffer, Number value) {
  const std::size_t size = buffer.size();
  buffer.resize(size + sizeof value);
  std::memcpy(buffer.data() + size, &value, sizeof value);
}

// Texts, with 64-bit offsets.
class TextColumn {
 public:
  TextColumn() { append(offsets_, std::int64_t{0}); }
  void add(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    append(offsets_, static_cast<std::int64_t>(bytes_.size()));
    ++length_;
  }
  ArrowColumnPtr finish(std::string name);

 private:
  std::vector<char> offsets_, bytes_;
  std::int64_t length_ = 0;
};

// Texts that come again and again: numbers of a list that has each once.
class LabelColumn {
 public:
  void add(std::string_view text);
  ArrowColumnPtr finish(std::string name);

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
  TextColumn texts_;
  std::vector<char> keys_;
  std::int64_t length_ = 0;
};

template <class Number>
class NumberColumn {
 public:
  void add(Number value) {
    append(values_, value);
    ++length_;
  }
  ArrowColumnPtr finish(std::string name, std::string format) {
    return std::make_shared<const ArrowColumn>(
        ArrowColumn{std::move(name), std::move(format), length_, {std::move(values_)}});
  }

 private:
  std::vector<char> values_;
  std::int64_t length_ = 0;
};

// Where each list ends among the rows of its items.
class ListOffsets {
 public:
  ListOffsets() { append(offsets_, std::int64_t{0}); }
  void end_list(std::int64_t items) {
    items_ += items;
    append(offsets_, items_);
    ++length_;
  }
  // Lists of structs with these columns.
  ArrowColumnPtr finish(std::string name, std::vector<ArrowColumnPtr> columns);

 private:
  std::vector<char> offsets_;
  std::int64_t items_ = 0, length_ = 0;
};

ArrowColumnPtr struct_column(std::string name, std::int64_t length,
                             std::vector<ArrowColumnPtr> columns);

}  // namespace weft::python
