#include "framework/io/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/io/file_limits.h"
#include "framework/io/json_bounds.h"
#include "registry/base/input_file.h"

namespace weft {

namespace {

using Json = nlohmann::json;

// Sizes of an array without elements, multiplied but for those that are 0.
constexpr std::size_t kMostOfEmptyArray = std::numeric_limits<std::int32_t>::max();

Error broken(const std::string& source, const std::string& what) {
  return Error(ErrorKind::data, source + ": " + what);
}

std::optional<DType> dtype_of(const std::string& name) {
  static const std::map<std::string, DType>& types = *new std::map<std::string, DType>{
      {"F32", DType::f32}, {"F16", DType::f16}, {"BF16", DType::bf16}, {"F64", DType::f64},
      {"I32", DType::i32}, {"I64", DType::i64}, {"U64", DType::u64},   {"U8", DType::u8}};
  const auto found = types.find(name);
  if (found == types.end()) return std::nullopt;
  return found->second;
}

// Non-negative integers of a list, all at most `limit`; nothing for anything else.
std::optional<std::vector<std::size_t>> numbers(const Json& object, const char* key,
                                                std::size_t limit) {
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return std::nullopt;
  std::vector<std::size_t> values;
  for (const Json& value : *list) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > limit) return std::nullopt;
    values.push_back(value.get<std::size_t>());
  }
  return values;
}

// Elements of an array; nothing where its sizes multiplied, but for those that are 0, are more than
// `most`.
std::optional<std::size_t> elements_of(const std::vector<std::size_t>& dims, std::size_t most) {
  std::size_t product = 1;
  bool is_empty = false;
  for (const std::size_t dim : dims) {
    is_empty = is_empty || dim == 0;
    if (dim == 0) continue;
    if (product > most / dim) return std::nullopt;
    product *= dim;
  }
  return is_empty ? 0 : product;
}

// The shape, if its elements number exactly `count`.
std::optional<Shape> shape_of(const std::vector<std::size_t>& dims, std::size_t count) {
  const std::size_t most = std::max(count, kMostOfEmptyArray);
  if (elements_of(dims, most) != count || dims.size() > Shape::max_rank) return std::nullopt;
  const auto at = [&](std::size_t axis) { return static_cast<std::int64_t>(dims[axis]); };
  switch (dims.size()) {
    case 0:
      return Shape{1};
    case 1:
      return Shape{at(0)};
    case 2:
      return Shape{at(0), at(1)};
    case 3:
      return Shape{at(0), at(1), at(2)};
    default:
      return Shape{at(0), at(1), at(2), at(3)};
  }
}

// The header's entry for one array, checked.
struct Extent {
  DType dtype;
  Shape shape;
  std::size_t begin, end;  // behind the header
};

// `rest` is the number of bytes behind the header.
Extent extent_of(const Json& facts, std::size_t rest, const std::string& place) {
  const auto type = facts.find("dtype");
  if (type == facts.end() || !type->is_string()) throw broken(place, "no dtype");
  const auto dtype = dtype_of(type->get<std::string>());
  if (!dtype) throw broken(place, "unknown dtype");
  const auto offsets = numbers(facts, "data_offsets", rest);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1]) {
    throw broken(place, "data_offsets outside the file");
  }
  const std::size_t size = (*offsets)[1] - (*offsets)[0];
  const auto dims = numbers(facts, "shape", std::numeric_limits<std::uint32_t>::max());
  if (!dims || size % size_of(*dtype) != 0) throw broken(place, "wrong shape");
  const auto shape = shape_of(*dims, size / size_of(*dtype));
  if (!shape) throw broken(place, "shape and data_offsets disagree");
  return {*dtype, *shape, (*offsets)[0], (*offsets)[1]};
}

// Reads the length that stands before the header.
std::size_t header_length(const std::string& bytes, const std::string& source) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) throw broken(source, "shorter than the length of its header");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) {
    throw broken(source, "the header is said to be longer than the file");
  }
  return static_cast<std::size_t>(length);
}

}  // namespace

SafeTensors SafeTensors::read(const std::filesystem::path& path) {
  return parse(InputFile(path).read_all(kMostArrayBytes), path.string());
}

// The file: the length of the header (8 bytes, little-endian), the header in JSON, then the arrays,
// whose places count from the end of the header. Arrays are checked but not copied; `tensor` copies
// the one that is asked for.
SafeTensors SafeTensors::parse(std::string bytes, std::string source) {
  SafeTensors result;
  result.source_ = std::move(source);
  const std::size_t start = sizeof(std::uint64_t) + header_length(bytes, result.source_);
  const std::size_t rest = bytes.size() - start;
  const std::string_view text =
      std::string_view(bytes).substr(sizeof(std::uint64_t), start - sizeof(std::uint64_t));
  if (const char* beyond = beyond_json_bounds(text)) {
    throw broken(result.source_, std::string("the header is ") + beyond);
  }
  const Json header = Json::parse(text, nullptr, false);
  if (!header.is_object()) throw broken(result.source_, "the header is not a JSON object");
  std::size_t left = rest;
  for (const auto& [name, facts] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string place = result.source_ + ": array '" + name + "'";
    const Extent extent = extent_of(facts, rest, place);
    const std::size_t size = extent.end - extent.begin;
    // The format has no bytes that belong to two arrays. With them a small file could hold any
    // number of large arrays, which all are copied.
    if (size > left) throw broken(place, "shares bytes with another array");
    left -= size;
    result.entries_[name] = {extent.dtype, extent.shape, start + extent.begin, start + extent.end};
  }
  result.bytes_ = std::move(bytes);
  return result;
}

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

Tensor SafeTensors::tensor(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw broken(source_, "no array '" + std::string(name) + "'");
  const Entry& entry = found->second;
  Tensor tensor = Tensor::zeros(entry.shape, entry.dtype);
  std::memcpy(tensor.view().data, bytes_.data() + entry.begin, entry.end - entry.begin);
  return tensor;
}

}  // namespace weft
