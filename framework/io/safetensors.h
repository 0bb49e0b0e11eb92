// Reads `.safetensors` files: named arrays behind a JSON header
// (https://github.com/huggingface/safetensors, format description).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API SafeTensors {
 public:
  // Reads the whole file. Throws as InputFile where it cannot be read and Error(data) where it is
  // damaged; the header's claims are checked against the file's size before anything is allocated:
  // all arrays together have no more bytes than it.
  static SafeTensors read(const std::filesystem::path& path);
  // The same from bytes; `source` names them in messages.
  static SafeTensors parse(std::string bytes, std::string source);

  bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
  // Sorted.
  std::vector<std::string> names() const;
  // A copy of an array, on the host. Throws Error(data) for an unknown name.
  Tensor tensor(std::string_view name) const;

 private:
  struct Entry {
    DType dtype = DType::f32;
    Shape shape;
    std::size_t begin = 0, end = 0;  // in `bytes_`
  };

  std::string source_;
  std::string bytes_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace weft
