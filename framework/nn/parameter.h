// A named array that training changes, and where its gradient is gathered.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/nn/task_runner.h"
#include "framework/tensor/tensor.h"
#include "registry/export.h"

namespace weft {

struct Parameter {
  std::string name;           // "W"
  Tensor value;               // f32; empty until the model is initialised
  std::uint64_t version = 0;  // grows with every write; copies in other formats check it
  // The layer's dimensions that make its shape ("nO", "nI"; "1": always one); empty: not told.
  std::vector<std::string> axes = {};
};

// The gradient of a table of which a step touches few rows: only those are kept.
class WEFT_API RowGradient {
 public:
  explicit RowGradient(Shape table);

  // The rows touched, in the order of their first touch, and their values (rows().size(), width).
  std::span<const std::int32_t> rows() const { return rows_; }
  ConstView values() const;
  // Where a row stands in rows(), or -1.
  std::int32_t place(std::int32_t row) const { return places_[static_cast<std::size_t>(row)]; }

  // Replaces row numbers by their places; rows that are new get zeros. Gives the values to add to.
  View touch(std::span<std::int32_t> rows);
  void add(const RowGradient& other);
  void clear();

 private:
  Shape table_;
  std::vector<std::int32_t> places_;  // of every row of the table
  std::vector<std::int32_t> rows_;
  std::vector<float> values_;
};

// Gradients of one shard, or their sum: f32 arrays of the parameters' shapes, made as zeros when
// first asked for.
class WEFT_API Gradients {
 public:
  // The array that gradients of `parameter` are added to.
  Tensor& of(const Parameter& parameter);
  // The same for a table of which few rows are used. Not both for one parameter in a step.
  RowGradient& rows_of(const Parameter& parameter);
  // Null unless the gradient is kept by rows.
  const RowGradient* find_rows(const Parameter& parameter) const;
  // The whole gradient (a table kept by rows is written out), or null if there is none.
  const Tensor* find(const Parameter& parameter) const;
  // The numbers of a gradient as they are kept, to change them in place: all of an array, or the
  // rows of a table that were touched. Empty if there is none.
  std::span<float> numbers(const Parameter& parameter);
  // Adds the arrays of each of `others`, in their order; `run` may spread the arrays over threads.
  void add(std::span<const Gradients* const> others, const TaskRunner& run = run_in_order);
  // Whether no parameter has had a gradient since `clear`.
  bool empty() const;
  // Forgets which parameters had a gradient and zeroes the arrays, keeping the memory.
  void clear();
  // Scales all arrays.
  void scale(float factor);

 private:
  struct Entry {
    Tensor array;
    bool used = false;
    std::unique_ptr<RowGradient> rows;
    bool rows_used = false;
    std::vector<std::int32_t> written;  // rows of `array` that `find` has written out
  };
  void add_entry(const Parameter& parameter, std::span<const Gradients* const> others);
  static void write_out(Entry& entry, Shape shape);
  mutable std::unordered_map<const Parameter*, Entry> entries_;  // find() writes tables out
};

}  // namespace weft
