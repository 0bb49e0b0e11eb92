#include "framework/nn/model_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_array.h"
#include "framework/io/msgpack_writer.h"
#include "framework/nn/attribute_codec.h"
#include "framework/nn/stored_numbers.h"
#include "framework/precision/element_type.h"
#include "framework/precision/notice.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// References are written as numbers of nodes in the order of the walk, nil for one that points
// outside of this tree.
void write_node(MsgpackWriter& out, const Model& node, std::size_t index,
                const std::unordered_map<const Model*, std::size_t>& numbers) {
  out.map(4);
  out.str("index");
  out.integer(static_cast<std::int64_t>(index));
  out.str("name");
  out.str(node.name());
  out.str("dims");
  out.map(static_cast<std::uint32_t>(node.dims().size()));
  for (const auto& [name, size] : node.dims()) {
    out.str(name);
    size ? out.integer(*size) : out.nil();
  }
  out.str("refs");
  out.map(static_cast<std::uint32_t>(node.refs().size()));
  for (const auto& [name, weak] : node.refs()) {
    const auto target = numbers.find(weak.lock().get());
    out.str(name);
    target == numbers.end() ? out.nil() : out.integer(static_cast<std::int64_t>(target->second));
  }
}

bool fits_fp16(const Tensor& stored) {
  const Tensor wide = cast_to(DType::f32, stored);
  const float* numbers = wide.data<float>();
  const float most = finite_max(NumberFormat::f16);
  return std::all_of(numbers, numbers + wide.size(),
                     [most](float number) { return std::abs(number) <= most; });
}

// The parameter as it is saved. A file with a NaN or an infinity could not be read again.
Tensor checked_numbers(const Model& node, const Parameter& parameter, DType type) {
  const std::string name = node.site() + "/" + parameter.name;
  if (!all_finite(parameter.value)) {
    throw Error(ErrorKind::data,
                "parameter " + name + " holds a NaN or an infinity: it is not saved");
  }
  if (type == DType::f16 && !fits_fp16(parameter.value)) {
    throw Error(ErrorKind::data, notices::beyond_saved_fp16(name).str());
  }
  Tensor numbers = cast_to(type, parameter.value);
  if (type == DType::bf16 && !all_finite(numbers)) {
    throw Error(ErrorKind::data, "parameter " + name + " holds a number that is an infinity in " +
                                     "bf16: set [training.precision] save_dtype to \"f32\"");
  }
  return numbers;
}

// Takes the pieces of a model file in their order; a piece is gone afterwards.
using TakePiece = std::function<void(std::string_view bytes)>;

void hand_over(MsgpackWriter& out, const TakePiece& take) {
  take(out.bytes());
  out.take();
}

// A NumPy array as srsly packs it, whatever the run keeps it in. Its numbers are handed over from
// where they lie: a copy of them would be the most that saving takes.
void write_array(MsgpackWriter& out, const Tensor& array, const TakePiece& take) {
  std::vector<std::int64_t> shape;
  for (int axis = 0; axis < array.shape().rank(); ++axis) shape.push_back(array.dim(axis));
  begin_array(out, stored_type_name(array.dtype()), shape, array.bytes());
  hand_over(out, take);
  take({static_cast<const char*>(array.cview().data), array.bytes()});
}

void write_attrs(MsgpackWriter& out, const Model& node) {
  out.map(static_cast<std::uint32_t>(node.attrs().size()));
  for (const auto& [name, value] : node.attrs()) {
    out.str(name);
    out.bin(attribute_to_bytes(value));
  }
}

void write_params(MsgpackWriter& out, const Model& node, DType type, const TakePiece& take) {
  out.map(static_cast<std::uint32_t>(node.params().size()));
  for (const auto& parameter : node.params()) {
    out.str(parameter->name);
    parameter->value ? write_array(out, checked_numbers(node, *parameter, type), take) : out.nil();
  }
}

// About the length of the file: the numbers, and some room for what stands beside them.
std::size_t expected_bytes(std::span<const Model* const> nodes) {
  constexpr std::size_t kRoom = 512;  // for a node, and for a parameter
  std::size_t bytes = kRoom * nodes.size();
  for (const Model* node : nodes) {
    for (const auto& parameter : node->params()) {
      bytes += kRoom + static_cast<std::size_t>(parameter->value.size()) * sizeof(float);
    }
  }
  return bytes;
}

// Four lists with an entry for each node, in the order of the walk. The last one, of wrapped
// networks of other frameworks, is always empty here.
void write_nodes(const std::vector<const Model*>& nodes, DType type, const TakePiece& take) {
  std::unordered_map<const Model*, std::size_t> numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) numbers[nodes[i]] = i;
  const auto count = static_cast<std::uint32_t>(nodes.size());
  MsgpackWriter out;
  out.map(4);
  out.str("nodes");
  out.array(count);
  for (std::size_t i = 0; i < nodes.size(); ++i) write_node(out, *nodes[i], i, numbers);
  out.str("attrs");
  out.array(count);
  for (const Model* node : nodes) write_attrs(out, *node);
  out.str("params");
  out.array(count);
  for (const Model* node : nodes) write_params(out, *node, type, take);
  out.str("shims");
  out.array(count);
  for (std::uint32_t i = 0; i < count; ++i) out.array(0);
  hand_over(out, take);
}

}  // namespace

WeightFormat::WeightFormat(std::vector<ModelPtr> models, DType type) {
  for (ModelPtr& model : models) {
    const DType before = model->saved_as();
    model->save_as(type);
    before_.emplace_back(std::move(model), before);
  }
}

WeightFormat::~WeightFormat() {
  // Backwards: a model may have been given twice.
  for (auto one = before_.rbegin(); one != before_.rend(); ++one) one->first->save_as(one->second);
}

std::string model_to_bytes(const Model& root) {
  const std::vector<const Model*> nodes = root.walk();
  std::string bytes;
  bytes.reserve(expected_bytes(nodes));
  write_nodes(nodes, root.saved_as(), [&bytes](std::string_view piece) { bytes += piece; });
  return bytes;
}

void write_model(const std::filesystem::path& file, const Model& root) {
  AtomicFile written(file);
  write_nodes(root.walk(), root.saved_as(), [&written](std::string_view piece) {
    written.stream().write(piece.data(), static_cast<std::streamsize>(piece.size()));
  });
  written.commit();
}

}  // namespace weft
