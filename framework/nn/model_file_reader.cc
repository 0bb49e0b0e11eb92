#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/io/msgpack_reader.h"
#include "framework/nn/attribute_codec.h"
#include "framework/nn/model_file.h"
#include "framework/nn/parameter_block.h"
#include "framework/nn/stored_numbers.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/shape_of.h"
#include "registry/value/json.h"

namespace weft {
namespace {

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
    cursor_.require_end();
    if (filled_ > 0) require_all();
  }

  bool found_parameters() const { return filled_ > 0; }

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
      const std::string_view key = in_.read_str_or_bin();
      if (key == "dims") {
        read_dims(node);
      } else if (key == "name" && takes_name(node) && in_.peek() == MsgpackType::str) {
        node.set_name(std::string(in_.read_str_or_bin()));
      } else {
        in_.skip_value();  // the config makes the other names, and references
      }
    }
  }

  // As in Thinc: the names of layers that join others tell of a part that was replaced, and a file
  // is written as it was read. No path has them, nor that of the root.
  bool takes_name(const Model& node) const { return at_ == 0 || node.has_composed_name(); }

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
      take_attr(node, name, attribute_from_bytes(in_.read_bin(), cursor_.name()));
    }
  }

  // The layer reads the value later as one of the kind that the config gave it. Null in the file
  // leaves that one, and null of the config takes any.
  void take_attr(Model& node, const std::string& name, Node value) {
    const Node* made = node.attr(name);
    if (made != nullptr && node.has_fixed_attr(name)) {
      if (made->same_value(value)) return;
      fail(name + " is " + to_json(value) + " where the config makes it " + to_json(*made));
    }
    if (made != nullptr && !made->is_null()) {
      if (value.is_null()) return;
      if (made->is_float() && std::holds_alternative<std::int64_t>(value.value())) {
        value = static_cast<double>(value.as_integer());
      }
      if (made->value().index() != value.value().index()) {
        fail(name + " is " + std::string(value.type_name()) + " where the config makes it " +
             std::string(made->type_name()));
      }
    }
    node.set_attr(name, std::move(value));
  }

  // A pipeline may be saved before it has parameters, but not with some of them.
  void require_all() {
    for (at_ = 0; at_ < nodes_.size(); ++at_) {
      for (const auto& parameter : nodes_[at_]->params()) {
        if (!parameter->value) fail(parameter->name + " is missing");
      }
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
        const auto known = stored_type_named(in_.read_str_or_bin());
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
    ++filled_;
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
  std::size_t at_ = 0, filled_ = 0;
  ParameterBlock memory_;
  MemoryCursor cursor_;
  MsgpackReader in_;
};

}  // namespace

bool model_from_bytes(Model& root, std::string_view bytes, const std::string& source) {
  ModelReader reader(root, bytes, source);
  reader.read();
  return reader.found_parameters();
}

}  // namespace weft
