// A named array that training changes, and where its gradient is gathered.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

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

// Gradients of one shard, or their sum: f32 arrays of the parameters' shapes, made as zeros when
// first asked for.
class WEFT_API Gradients {
 public:
  // The array that gradients of `parameter` are added to.
  Tensor& of(const Parameter& parameter);
  const Tensor* find(const Parameter& parameter) const;
  // Adds the arrays of `other`.
  void add(const Gradients& other);
  // Forgets which parameters had a gradient and zeroes the arrays, keeping the memory.
  void clear();
  // Scales all arrays.
  void scale(float factor);

 private:
  struct Entry {
    Tensor array;
    bool used = false;
  };
  std::unordered_map<const Parameter*, Entry> entries_;
};

}  // namespace weft
