#include "arrow_column.h"

#include <utility>

namespace weft::python {
namespace {

// The arrays and structs that an exported one points to. A consumer may release children first.
template <class Struct>
struct Holder {
  ArrowColumnPtr column;
  std::vector<std::unique_ptr<Struct>> children = {};
  std::vector<Struct*> child_pointers = {};
  std::unique_ptr<Struct> dictionary = nullptr;
  std::vector<const void*> buffers = {};
};

template <class Struct>
void release_struct(Struct* exported) {
  for (std::int64_t i = 0; i < exported->n_children; ++i) {
    Struct* child = exported->children[i];
    if (child->release != nullptr) child->release(child);
  }
  Struct* dictionary = exported->dictionary;
  if (dictionary != nullptr && dictionary->release != nullptr) dictionary->release(dictionary);
  delete static_cast<Holder<Struct>*>(exported->private_data);
  exported->release = nullptr;
}

// The parts that both structs have.
template <class Struct, class Export>
std::unique_ptr<Holder<Struct>> hold(const ArrowColumnPtr& column, Struct& out,
                                     const Export& export_one) {
  auto holder = std::make_unique<Holder<Struct>>(Holder<Struct>{column});
  for (const ArrowColumnPtr& child : column->children) {
    export_one(child, *holder->children.emplace_back(std::make_unique<Struct>()));
    holder->child_pointers.push_back(holder->children.back().get());
  }
  if (column->dictionary) {
    holder->dictionary = std::make_unique<Struct>();
    export_one(column->dictionary, *holder->dictionary);
  }
  out.n_children = static_cast<std::int64_t>(holder->children.size());
  out.children = holder->child_pointers.data();
  out.dictionary = holder->dictionary.get();
  out.release = release_struct<Struct>;
  return holder;
}

}  // namespace

void export_schema(const ArrowColumnPtr& column, ArrowSchema& out) {
  out = {};
  auto holder = hold(column, out, export_schema);
  out.format = column->format.c_str();
  out.name = column->name.c_str();
  out.private_data = holder.release();
}

void export_array(const ArrowColumnPtr& column, ArrowArray& out) {
  out = {};
  auto holder = hold(column, out, export_array);
  holder->buffers.push_back(nullptr);  // nothing is null
  for (const auto& buffer : column->buffers) holder->buffers.push_back(buffer.data());
  out.length = column->length;
  out.n_buffers = static_cast<std::int64_t>(holder->buffers.size());
  out.buffers = holder->buffers.data();
  out.private_data = holder.release();
}

ArrowColumnPtr TextColumn::finish(std::string name) {
  if (bytes_.empty()) bytes_.reserve(1);  // a buffer has an address
  return std::make_shared<const ArrowColumn>(
      ArrowColumn{std::move(name), "U", length_, {std::move(offsets_), std::move(bytes_)}});
}

void LabelColumn::add(std::string_view text) {
  const auto [place, is_new] =
      numbers_.emplace(std::string(text), static_cast<std::int32_t>(numbers_.size()));
  if (is_new) texts_.add(text);
  append(keys_, place->second);
  ++length_;
}

ArrowColumnPtr LabelColumn::finish(std::string name) {
  ArrowColumn column{std::move(name), "i", length_, {std::move(keys_)}};
  column.dictionary = texts_.finish("");
  return std::make_shared<const ArrowColumn>(std::move(column));
}

ArrowColumnPtr ListOffsets::finish(std::string name, std::vector<ArrowColumnPtr> columns) {
  ArrowColumn column{std::move(name), "+L", length_, {std::move(offsets_)}};
  column.children = {struct_column("item", items_, std::move(columns))};
  return std::make_shared<const ArrowColumn>(std::move(column));
}

ArrowColumnPtr struct_column(std::string name, std::int64_t length,
                             std::vector<ArrowColumnPtr> columns) {
  ArrowColumn column{std::move(name), "+s", length};
  column.children = std::move(columns);
  return std::make_shared<const ArrowColumn>(std::move(column));
}

}  // namespace weft::python
