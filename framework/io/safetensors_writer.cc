#include "framework/io/safetensors_writer.h"

#include <cstdint>

#include "registry/base/error.h"
#include "registry/value/config.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kAlignment = 8;  // of the first array, as the format asks

const char* format_name(DType type) {
  switch (type) {
    case DType::f32:
      return "F32";
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    case DType::f64:
      return "F64";
    case DType::i32:
      return "I32";
    case DType::i64:
      return "I64";
    case DType::u64:
      return "U64";
    case DType::u8:
      return "U8";
  }
  throw Error(ErrorKind::internal, "an element type that safetensors files do not have");
}

List dims_of(const Shape& shape) {
  List dims;
  for (int axis = 0; axis < shape.rank(); ++axis) dims.emplace_back(shape[axis]);
  return dims;
}

std::string header_of(const std::map<std::string, Tensor>& arrays) {
  Object header;
  std::int64_t offset = 0;
  for (const auto& [name, array] : arrays) {
    const auto end = offset + static_cast<std::int64_t>(array.bytes());
    Object facts;
    facts.set("dtype", format_name(array.dtype()));
    facts.set("shape", dims_of(array.shape()));
    facts.set("data_offsets", List{offset, end});
    header.set(name, std::move(facts));
    offset = end;
  }
  std::string text = to_standard_json(header);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

}  // namespace

void write_safetensors(const std::map<std::string, Tensor>& arrays, std::ostream& out) {
  const std::string header = header_of(arrays);
  const std::uint64_t length = header.size();
  out.write(reinterpret_cast<const char*>(&length), sizeof length);
  out << header;
  for (const auto& [name, array] : arrays) {
    out.write(static_cast<const char*>(array.cview().data),
              static_cast<std::streamsize>(array.bytes()));
  }
}

}  // namespace weft
