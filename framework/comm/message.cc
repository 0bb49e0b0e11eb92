#include "framework/comm/message.h"

#include <array>

#include "framework/comm/comm_error.h"
#include "framework/tensor/shape_of.h"

namespace weft {
namespace {

[[noreturn]] void refuse() {
  throw PeerLost("a rank sent a message that this one does not understand");
}

}  // namespace

void MessageWriter::put_tensor(const Tensor& tensor) {
  put<std::uint8_t>(tensor ? 1 : 0);
  if (!tensor) return;
  put(tensor.dtype());
  put<std::int64_t>(tensor.shape().rank());
  for (int i = 0; i < tensor.shape().rank(); ++i) put<std::int64_t>(tensor.shape()[i]);
  put_bytes(tensor.cview().data, tensor.bytes());
}

std::string_view MessageReader::get_bytes(std::size_t count) {
  if (count > left_.size()) refuse();
  const std::string_view bytes = left_.substr(0, count);
  left_.remove_prefix(count);
  return bytes;
}

std::size_t MessageReader::get_count() {
  const auto count = get<std::uint64_t>();
  if (count > left_.size()) refuse();
  return count;
}

std::size_t sum_of_lengths(std::span<const std::uint64_t> lengths, std::uint64_t most) {
  std::uint64_t sum = 0;
  for (const std::uint64_t length : lengths) {
    if (length > most - sum) throw PeerLost("a rank tells of bytes of an impossible number");
    sum += length;
  }
  return sum;
}

Tensor MessageReader::get_tensor() {
  if (get<std::uint8_t>() == 0) return {};
  const auto type = get<DType>();
  if (type > DType::u8) refuse();
  const auto rank = get<std::int64_t>();
  if (rank < 0 || rank > Shape::max_rank) refuse();
  std::array<std::int64_t, Shape::max_rank> dims{};
  std::uint64_t bytes = size_of(type);
  for (std::int64_t i = 0; i < rank; ++i) {
    auto& dim = dims[static_cast<std::size_t>(i)];
    dim = get<std::int64_t>();
    const auto left = static_cast<std::int64_t>(left_.size());
    if (dim < 0 || dim > left || __builtin_mul_overflow(bytes, dim, &bytes)) refuse();
  }
  const std::string_view data = get_bytes(bytes);
  Tensor tensor =
      Tensor::zeros(shape_of(std::span(dims).first(static_cast<std::size_t>(rank))), type);
  if (!data.empty()) std::memcpy(tensor.view().data, data.data(), data.size());
  return tensor;
}

}  // namespace weft
