// The texts of an Arrow column, one by one, without an object of Python for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "arrow_format.h"

namespace weft::python {

namespace nb = nanobind;

class ArrowTexts {
 public:
  // Something that has __arrow_c_stream__ or __arrow_c_array__, else null. Throws Error(data) for
  // columns of another type than string, large_string or string_view. Under the GIL.
  static std::unique_ptr<ArrowTexts> of(nb::handle source);
  ~ArrowTexts();
  ArrowTexts(const ArrowTexts&) = delete;
  ArrowTexts& operator=(const ArrowTexts&) = delete;

  // None at the end. Throws Error(data) for a null, with its row.
  std::optional<std::string> next();

 private:
  explicit ArrowTexts(nb::object capsule) : capsule_(std::move(capsule)) {}
  void check_format(const ArrowSchema& schema);
  bool next_array();
  std::string text_at(std::int64_t row) const;

  nb::object capsule_;  // owns the stream, or the array
  ArrowArrayStream* stream_ = nullptr;
  ArrowArray array_ = {};
  char format_ = 'u';
  std::int64_t place_ = 0;  // in the array
  std::int64_t row_ = 0;    // of all
};

}  // namespace weft::python
