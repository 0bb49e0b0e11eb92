#include "arrow_texts.h"

#include <cstring>

#include "registry/base/error.h"

namespace weft::python {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::data, "the column of texts: " + message);
}

template <class T>
T* pointer_in(nb::handle capsule, const char* name) {
  auto* pointer = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (pointer == nullptr) throw nb::python_error();
  return pointer;
}

// Released whatever is found in it.
struct ReleasedSchema {
  ArrowSchema given = {};
  ~ReleasedSchema() {
    if (given.release != nullptr) given.release(&given);
  }
};

// A view of Arrow: up to 12 bytes stand in it, others in one of the further buffers.
struct StringView {
  std::int32_t size;
  char begin[4];
  std::int32_t buffer, offset;
};
constexpr std::int32_t kInPlace = 12;

}  // namespace

std::unique_ptr<ArrowTexts> ArrowTexts::of(nb::handle source) {
  if (nb::hasattr(source, "__arrow_c_stream__")) {
    std::unique_ptr<ArrowTexts> texts(new ArrowTexts(source.attr("__arrow_c_stream__")()));
    texts->stream_ = pointer_in<ArrowArrayStream>(texts->capsule_, "arrow_array_stream");
    if (texts->stream_->release == nullptr) refuse("somebody has read its stream already");
    ReleasedSchema schema;
    if (texts->stream_->get_schema(texts->stream_, &schema.given) != 0) refuse("it has no schema");
    texts->check_format(schema.given);
    return texts;
  }
  if (!nb::hasattr(source, "__arrow_c_array__")) return nullptr;
  const nb::tuple pair(source.attr("__arrow_c_array__")());
  if (pair.size() != 2) refuse("__arrow_c_array__ gave no pair of a schema and an array");
  std::unique_ptr<ArrowTexts> texts(new ArrowTexts(nb::object(pair[1])));
  texts->check_format(*pointer_in<ArrowSchema>(pair[0], "arrow_schema"));
  auto* array = pointer_in<ArrowArray>(pair[1], "arrow_array");
  if (array->release == nullptr) refuse("somebody has taken its array already");
  texts->array_ = *array;  // moved out of the capsule
  array->release = nullptr;
  return texts;
}

ArrowTexts::~ArrowTexts() {
  if (array_.release != nullptr) array_.release(&array_);
}

void ArrowTexts::check_format(const ArrowSchema& schema) {
  // Its format would be that of the index.
  if (schema.dictionary != nullptr) refuse("it has a dictionary; decode it first");
  const std::string format = schema.format == nullptr ? "" : schema.format;
  if (format == "u" || format == "U") {
    format_ = format[0];
  } else if (format == "vu") {
    format_ = 'v';
  } else {
    refuse("its type is '" + format + "', not string, large_string or string_view");
  }
}

bool ArrowTexts::next_array() {
  if (stream_ == nullptr) return false;
  if (array_.release != nullptr) array_.release(&array_);
  array_ = {};
  place_ = 0;
  if (stream_->get_next(stream_, &array_) != 0) {
    const char* why = stream_->get_last_error(stream_);
    refuse(why == nullptr ? "it cannot be read" : why);
  }
  return array_.release != nullptr;
}

std::optional<std::string> ArrowTexts::next() {
  while (place_ == array_.length || array_.release == nullptr) {
    if (!next_array()) return std::nullopt;
  }
  const std::int64_t place = array_.offset + place_;
  const auto* valid = static_cast<const unsigned char*>(array_.buffers[0]);
  if (valid != nullptr && (valid[place / 8] >> (place % 8) & 1) == 0) {
    refuse("row " + std::to_string(row_) + " is null");
  }
  ++place_;
  ++row_;
  return text_at(place);
}

std::string ArrowTexts::text_at(std::int64_t row) const {
  if (format_ == 'v') {
    const auto* views = static_cast<const StringView*>(array_.buffers[1]);
    const StringView& view = views[row];
    const auto size = static_cast<std::size_t>(view.size);
    if (view.size <= kInPlace) return {reinterpret_cast<const char*>(&view) + 4, size};
    const auto* bytes = static_cast<const char*>(array_.buffers[2 + view.buffer]);
    return {bytes + view.offset, size};
  }
  const auto* bytes = static_cast<const char*>(array_.buffers[2]);
  const auto cut = [&](const auto* offsets) {
    return std::string(bytes + offsets[row],
                       static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
  };
  return format_ == 'U' ? cut(static_cast<const std::int64_t*>(array_.buffers[1]))
                        : cut(static_cast<const std::int32_t*>(array_.buffers[1]));
}

}  // namespace weft::python
