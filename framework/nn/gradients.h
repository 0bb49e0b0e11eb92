// Where the gradients of parameters are gathered: those of a shard, or the sum of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/nn/row_gradient.h"
#include "framework/tensor/stream.h"
#include "framework/tensor/task_runner.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// Gradients of one shard, or their sum: arrays of the parameters' shapes, zeros when first asked
// for. They are f32; 16 bits wide where the precision policy stores gradients so. On a device
// all are f32, and nothing goes over them but the sums: a reader rounds every element to `kept_as`
// first and multiplies it by `factor` then.
class WEFT_API Gradients {
 public:
  Gradients() = default;
  // In memory of that stream's device, where sums are queued too. Tables are kept whole there.
  explicit Gradients(std::shared_ptr<Stream> stream);

  // The type of arrays that are made from now on. On a device they are f32 all the same.
  void keep_as(DType type) {
    kept_as_ = type;
    type_ = on_device() ? DType::f32 : type;
  }
  DType type() const { return type_; }
  // The type that was given to `keep_as`; f32 after `take`.
  DType kept_as() const { return kept_as_; }

  // The array that gradients of `parameter` are added to.
  Tensor& of(const Parameter& parameter);
  // The same for a kernel that can as well overwrite it as add to zeros.
  struct Accumulator {
    Tensor& array;
    // Nothing was added yet and the contents are undefined: all of it must be written.
    bool is_uninitialised;
    // The beta of a GEMM that accumulates into the array.
    float beta() const { return is_uninitialised ? 0.0F : 1.0F; }
  };
  Accumulator accumulator_of(const Parameter& parameter);
  // Whether tables may be kept by the rows that are used: not on a device.
  bool keeps_rows() const { return !on_device(); }
  // The same for a table of which few rows are used. Not both for one parameter in a step, and only
  // where `keeps_rows`.
  RowGradient& rows_of(const Parameter& parameter);
  // Null unless the gradient is kept by rows.
  const RowGradient* find_rows(const Parameter& parameter) const;
  // The array as it is kept; null if there is none, or if it is kept by rows.
  const Tensor* find_array(const Parameter& parameter) const;
  // The numbers as they are kept, an array's or those of the rows that were touched; empty if there
  // are none.
  ConstView kept(const Parameter& parameter) const;

  // The whole gradient in f32 (a table kept by rows is written out), or null if there is none.
  const Tensor* find(const Parameter& parameter) const;
  // The numbers of a gradient, to change them in place: all of an array, or the rows of a table
  // that were touched. A gradient that was kept in 16 bits is f32 until `clear`. Empty if there is
  // none. Not on a device.
  std::span<float> numbers(const Parameter& parameter);

  // Adds the arrays of each of `others`, in f32 as a tree over these and theirs (tree_sum.h), on
  // devices and in 16 bits one after the other; `run` may spread the arrays over threads.
  void add(std::span<const Gradients* const> others, const TaskRunner& run = run_in_order);
  // Forgets the gradient of one parameter, as `clear` does those of all.
  void drop(const Parameter& parameter);
  // Whether no parameter has had a gradient since `clear`.
  bool empty() const;
  // Forgets which parameters had a gradient, keeping the memory of the arrays. They become zeros
  // when they are asked for, just before they are written.
  void clear();
  // Scales all arrays. In 16 bits small numbers would be lost by it: arrays kept so are multiplied
  // when they are read, by `factor`, and so is everything on a device.
  void scale(float factor);
  float factor() const { return factor_; }

  // On a device, so that no array is read twice for it: the sum of the squares of an array's
  // numbers, rounded but not multiplied; nothing once the array may have changed.
  void remember_squares(const Parameter& parameter, double squares);
  std::optional<double> squares(const Parameter& parameter) const;
  // Bytes of all arrays, in use or kept for the next step.
  std::size_t bytes() const;

  // Whether they are still those of a scaled loss; `find` and `numbers` remember that somebody has
  // read them in that state. `take_early_read` tells, and forgets.
  void mark_scaled(bool scaled) { is_scaled_ = scaled; }
  bool take_early_read() { return std::exchange(was_read_early_, false); }

  bool on_device() const { return stream_ != nullptr; }
  // A copy on the host, of the numbers as they are to be read. Waits for what was queued.
  Gradients on_host() const;
  // Replaces the gradients by those of the host, which has the same arrays; they are read as they
  // are.
  void take(const Gradients& host);

 private:
  struct Entry {
    Tensor array;
    bool used = false;
    std::unique_ptr<RowGradient> rows;
    bool rows_used = false;
    std::optional<double> squares;      // see remember_squares
    Tensor whole;                       // f32, for `find`
    std::vector<std::int32_t> written;  // rows of `whole` that `find` has written out
  };
  void add_entry(const Parameter& parameter, std::span<const Gradients* const> others);
  void add_arrays(const Parameter& parameter, std::span<const Tensor* const> arrays);
  void write_out(Entry& entry, Shape shape) const;
  Entry& with_array(const Parameter& parameter);
  static void forget(Entry& entry);
  void zero(Tensor& array) const;

  std::shared_ptr<Stream> stream_;                               // null: on the host
  mutable std::unordered_map<const Parameter*, Entry> entries_;  // find() writes tables out
  DType type_ = DType::f32, kept_as_ = DType::f32;
  float factor_ = 1.0F;
  bool is_scaled_ = false;
  mutable bool was_read_early_ = false;
};

}  // namespace weft
