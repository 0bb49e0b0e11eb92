#include "framework/nn/model_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/nn/attribute_codec.h"
#include "framework/nn/parameter_block.h"
#include "framework/precision/element_type.h"
#include "framework/precision/notice.h"
#include "framework/tensor/shape_of.h"
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

// Types as NumPy writes them; it has no bf16.
constexpr std::string_view type_name(DType type) {
  if (type == DType::f16) return "<f2";
  return type == DType::bf16 ? "bf16" : "<f4";
}

std::optional<DType> type_named(std::string_view name) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    if (name == type_name(type)) return type;
  }
  return std::nullopt;
}

// All bits of the exponent set means a NaN or an infinity, and one more then carries into the sign.
// The count is fixed, for the compiler to take several numbers at a time.
constexpr std::size_t kAtOnce = 4096;
bool block_is_finite(const float* numbers) {
  std::uint32_t carries = 0;
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    carries |= (std::bit_cast<std::uint32_t>(numbers[i]) & 0x7F800000) + 0x00800000;
  }
  return carries < 0x80000000;
}

bool all_finite(const float* numbers, std::size_t count) {
  std::size_t i = 0;
  for (; count - i >= kAtOnce; i += kAtOnce) {
    if (!block_is_finite(numbers + i)) return false;
  }
  return std::all_of(numbers + i, numbers + count, [](float x) { return std::isfinite(x); });
}

bool all_finite(const Tensor& stored) {
  const Tensor wide = cast_to(DType::f32, stored);
  return all_finite(wide.data<float>(), static_cast<std::size_t>(wide.size()));
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

// A NumPy array as srsly packs it, whatever the run keeps it in; its keys are bytes. Its numbers
// are handed over from where they lie: a copy of them would be the most that saving takes.
void write_array(MsgpackWriter& out, const Tensor& array, const TakePiece& take) {
  out.map(5);
  out.bin("nd");
  out.boolean(true);
  out.bin("type");
  out.str(type_name(array.dtype()));
  out.bin("kind");
  out.bin("");
  out.bin("shape");
  out.array(static_cast<std::uint32_t>(array.shape().rank()));
  for (int axis = 0; axis < array.shape().rank(); ++axis) out.integer(array.dim(axis));
  out.bin("data");
  out.bin_size(array.bytes());
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

// Whether all were finite: told of what is still in the nearest cache.
bool copy_finite(float* to, std::string_view from) {
  bool finite = true;
  while (!from.empty()) {
    const std::string_view part = from.substr(0, kAtOnce * sizeof(float));
    std::memcpy(to, part.data(), part.size());
    const std::size_t count = part.size() / sizeof(float);
    finite &= all_finite(to, count);
    to += count;
    from.remove_prefix(part.size());
  }
  return finite;
}

// Reads the lists of a model file into the nodes of a tree.
class ModelReader {
 public:
  ModelReader(Model& root, std::string_view bytes, const std::string& source)
      : nodes_(root.walk()), memory_(bytes.size()), cursor_(bytes, source), in_(cursor_) {}

  // Keys may come in any order, and unknown ones are passed over. All four lists must be there,
  // each with an entry for every node of the tree that the config made.
  void read() {
    bool found[4] = {};
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string key(in_.read_str_or_bin());
      if (key == "nodes")
        found[0] = read_list([&](Model& node) { read_node(node); });
      else if (key == "attrs")
        found[1] = read_list([&](Model& node) { read_attrs(node); });
      else if (key == "params")
        found[2] = read_list([&](Model& node) { read_params(node); });
      else if (key == "shims")
        found[3] = read_list([&](Model&) { in_.skip_value(); });
      else
        in_.skip_value();
    }
    if (!found[0] || !found[1] || !found[2] || !found[3]) {
      cursor_.fail("not a model: needs nodes, attrs, params and shims");
    }
  }

 private:
  template <class Read>
  bool read_list(Read read) {
    const std::uint32_t count = in_.read_array();
    if (count != nodes_.size()) {
      cursor_.fail("has " + std::to_string(count) + " layers where the config makes " +
                   std::to_string(nodes_.size()));
    }
    for (at_ = 0; at_ < nodes_.size(); ++at_) read(*nodes_[at_]);
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    cursor_.fail("layer " + std::to_string(at_) + " (" + nodes_[at_]->name() + "): " + what);
  }

  // A size that the config fixed must be that of the file; one that it left open is taken from it.
  void set_dim(Model& node, const std::string& name, std::int64_t size) {
    const auto known = node.find_dim(name);
    if (known && *known != size) {
      fail(name + " is " + std::to_string(size) + " where the config makes it " +
           std::to_string(*known));
    }
    if (!known) node.set_dim(name, size);
  }

  void read_node(Model& node) {
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      if (in_.read_str_or_bin() == "dims") {
        read_dims(node);
      } else {
        in_.skip_value();  // the config makes names and references
      }
    }
  }

  void read_dims(Model& node) {
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string name(in_.read_str_or_bin());
      if (in_.peek() == MsgpackType::nil) {
        in_.read_nil();
      } else {
        set_dim(node, name, in_.read_integer());
      }
    }
  }

  void read_attrs(Model& node) {
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string name(in_.read_str_or_bin());
      node.set_attr(name, attribute_from_bytes(in_.read_bin(), cursor_.name()));
    }
  }

  void read_params(Model& node) {
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string name(in_.read_str_or_bin());
      if (in_.peek() == MsgpackType::nil) {
        in_.read_nil();
      } else {
        read_array(node, name);
      }
    }
  }

  void read_array(Model& node, const std::string& name) {
    std::vector<std::int64_t> dims;
    DType type = DType::f32;
    std::string_view data;  // in the bytes that the cursor is over
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string key(in_.read_str_or_bin());
      if (key == "type") {
        const auto known = type_named(in_.read_str_or_bin());
        if (!known) fail(name + " is not an array of 32-bit floats");
        type = *known;
      } else if (key == "shape") {
        dims = read_shape(name);
      } else if (key == "data") {
        data = in_.read_bin();
      } else {
        in_.skip_value();
      }
    }
    store(node, name, dims, type, data);
  }

  std::vector<std::int64_t> read_shape(const std::string& name) {
    const std::uint32_t rank = in_.read_array();
    if (rank < 1 || rank > Shape::max_rank) fail(name + " has a shape of no array of ours");
    std::vector<std::int64_t> dims;
    for (std::uint32_t axis = 0; axis < rank; ++axis) dims.push_back(in_.read_integer());
    return dims;
  }

  // Each dimension is compared with what the data still allows before it is multiplied in, so that
  // the sizes of a forged file cannot overflow. An array is made only once shape and data agree.
  void store(Model& node, const std::string& name, const std::vector<std::int64_t>& dims,
             DType type, std::string_view data) {
    std::uint64_t count = dims.empty() ? 0 : 1;
    for (const std::int64_t dim : dims) {
      if (dim < 1 || static_cast<std::uint64_t>(dim) > data.size() / count) {
        fail(name + " has another shape than its data");
      }
      count *= static_cast<std::uint64_t>(dim);
    }
    if (count == 0 || count * size_of(type) != data.size()) {
      fail(name + " has another shape than its data");
    }
    check_axes(node, name, dims);
    Tensor value(memory_, shape_of(dims), DType::f32);
    bool finite = false;
    if (type == DType::f32) {
      finite = copy_finite(value.data<float>(), data);
    } else {
      Tensor stored = Tensor::zeros(shape_of(dims), type);
      std::memcpy(stored.view().data, data.data(), data.size());
      cast_rows(stored, value.view());
      finite = all_finite(value.data<float>(), static_cast<std::size_t>(value.size()));
    }
    if (!finite) fail(name + " holds a NaN or an infinity");
    node.set_param(name, std::move(value));
  }

  void check_axes(Model& node, const std::string& name, const std::vector<std::int64_t>& dims) {
    bool known = false;
    for (const auto& parameter : node.params()) known = known || parameter->name == name;
    if (!known) fail("has no parameter " + name);
    const std::vector<std::string> axes = node.param(name).axes;
    if (axes.empty()) return;
    if (axes.size() != dims.size()) fail(name + " has another number of dimensions");
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a] != "1") {
        set_dim(node, axes[a], dims[a]);
      } else if (dims[a] != 1) {
        fail(name + " has another shape");
      }
    }
  }

  std::vector<Model*> nodes_;
  std::size_t at_ = 0;
  ParameterBlock memory_;
  MemoryCursor cursor_;
  MsgpackReader in_;
};

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

void model_from_bytes(Model& root, std::string_view bytes, const std::string& source) {
  ModelReader(root, bytes, source).read();
}

}  // namespace weft
