#include "framework/nn/value.h"

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "framework/nn/wrong_input.h"
#include "framework/ops/context.h"
#include "registry/base/error.h"

namespace weft {

namespace {

[[noreturn]] void throw_unexpected(const Value& value, std::string_view expected) {
  static constexpr std::array<std::string_view, std::variant_size_v<Value>> kNames{
      "nothing", "an array", "a ragged array", "a list of arrays", "documents"};
  throw WrongInput("a layer expected " + std::string(expected) + " and was given " +
                   std::string(kNames[value.index()]));
}

std::int64_t count_rows(const TensorList& list) {
  std::int64_t rows = 0;
  for (const Tensor& part : list) {
    if (part.shape().rank() != 2 || part.dim(1) != list[0].dim(1)) {
      throw Error(ErrorKind::internal, "a list of arrays of different widths");
    }
    rows += part.dim(0);
  }
  return rows;
}

// The bytes of all parts one after the other. Neighbours, as `split` makes them, go in one piece.
void copy_parts(const TensorList& list, char* to,
                const std::function<void(char*, const char*, std::size_t)>& copy) {
  const char* from = nullptr;
  std::size_t bytes = 0;
  for (const Tensor& part : list) {
    if (part.bytes() == 0) continue;
    const char* data = static_cast<const char*>(part.cview().data);
    if (data != from + bytes) {
      if (bytes > 0) copy(to, from, bytes);
      to += bytes;
      from = data;
      bytes = 0;
    }
    bytes += part.bytes();
  }
  if (bytes > 0) copy(to, from, bytes);
}

Ragged join(Context& ctx, const TensorList& list) {
  Ragged result;
  for (const Tensor& part : list) result.lengths.push_back(part.dim(0));
  if (list.empty()) return result;
  result.data = ctx.empty({count_rows(list), list[0].dim(1)}, list[0].dtype());
  const CopyKind kind = list[0].device() == result.data.device() ? CopyKind::device_to_device
                                                                 : CopyKind::host_to_device;
  copy_parts(list, static_cast<char*>(result.data.view().data),
             [&](char* to, const char* from, std::size_t bytes) {
               ctx.stream().copy(to, from, bytes, kind);
             });
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

Ragged as_ragged(Context& ctx, const Value& value) {
  if (const auto* ragged = std::get_if<Ragged>(&value)) {
    return {ctx.placed(ragged->data), ragged->lengths};
  }
  if (const auto* list = std::get_if<TensorList>(&value)) return join(ctx, *list);
  throw_unexpected(value, "a ragged array");
}

TensorList arrays_of(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return {*tensor};
  if (const auto* ragged = std::get_if<Ragged>(&value)) return {ragged->data};
  const auto* list = std::get_if<TensorList>(&value);
  return list != nullptr ? *list : TensorList();
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
