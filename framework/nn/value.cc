#include "framework/nn/value.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "registry/error.h"

namespace weft {

namespace {

[[noreturn]] void throw_unexpected(const Value& value, std::string_view expected) {
  static constexpr std::array<std::string_view, std::variant_size_v<Value>> kNames{
      "nothing", "an array", "a ragged array", "a list of arrays", "documents"};
  throw Error(ErrorKind::internal, "a layer expected " + std::string(expected) + " and was given " +
                                       std::string(kNames[value.index()]));
}

Ragged join(Allocator& allocator, const TensorList& list) {
  Ragged result;
  std::int64_t rows = 0;
  for (const Tensor& part : list) {
    if (part.shape().rank() != 2 || part.dim(1) != list[0].dim(1)) {
      throw Error(ErrorKind::internal, "a list of arrays of different widths");
    }
    result.lengths.push_back(part.dim(0));
    rows += part.dim(0);
  }
  if (list.empty()) return result;
  result.data = Tensor(allocator, {rows, list[0].dim(1)}, list[0].dtype());
  char* to = static_cast<char*>(result.data.view().data);
  for (const Tensor& part : list) {
    if (part.bytes() > 0) std::memcpy(to, part.cview().data, part.bytes());
    to += part.bytes();
  }
  return result;
}

}  // namespace

const Tensor& as_tensor(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return *tensor;
  throw_unexpected(value, "an array");
}

DocBatch as_docs(const Value& value) {
  if (const auto* docs = std::get_if<DocBatch>(&value)) return *docs;
  throw_unexpected(value, "documents");
}

Ragged as_ragged(Allocator& allocator, const Value& value) {
  if (const auto* ragged = std::get_if<Ragged>(&value)) return *ragged;
  if (const auto* list = std::get_if<TensorList>(&value)) return join(allocator, *list);
  throw_unexpected(value, "a ragged array");
}

TensorList split(const Ragged& ragged) {
  TensorList list;
  std::int64_t row = 0;
  for (const std::int64_t length : ragged.lengths) {
    list.push_back(ragged.data.rows(row, row + length));
    row += length;
  }
  return list;
}

}  // namespace weft
