#include "framework/training/gradient_message.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "framework/comm/comm_error.h"
#include "framework/training/gradient_part.h"

namespace weft {
namespace {

enum class Form : std::uint8_t { end, array, rows };

[[noreturn]] void refuse() {
  throw PeerLost("a rank sent gradients that do not fit the parameters of this one");
}

void write_values(MessageWriter& message, ConstView values) {
  message.put<std::uint64_t>(static_cast<std::uint64_t>(values.size()) * size_of(values.dtype));
  message.put_bytes(values.data, static_cast<std::size_t>(values.size()) * size_of(values.dtype));
}

void read_values(MessageReader& message, View to) {
  const std::string_view bytes = message.get_bytes(message.get<std::uint64_t>());
  if (bytes.size() != static_cast<std::size_t>(to.size()) * size_of(to.dtype)) refuse();
  if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
}

template <class AnyView>
AnyView part_of_array(AnyView array, ArrayPart part) {
  return AnyView(array.data, array.dtype, {array.size()}).columns(part.begin, part.size());
}

void write_rows(MessageWriter& message, const RowGradient& gradient, ArrayPart part, bool all) {
  if (all) {
    message.put<std::uint64_t>(gradient.rows().size());
    message.put_bytes(gradient.rows().data(), gradient.rows().size_bytes());
    return write_values(message, gradient.values());
  }
  const RowsOfPart kept(gradient, part);
  const ConstView values = gradient.values();
  const std::size_t row_bytes = static_cast<std::size_t>(values.cols()) * size_of(values.dtype);
  message.put<std::uint64_t>(kept.rows.size());
  message.put_bytes(kept.rows.data(), kept.rows.size() * sizeof(std::int32_t));
  message.put<std::uint64_t>(kept.rows.size() * row_bytes);
  for (const std::int32_t place : kept.places) {
    message.put_bytes(values.slice(place, 1).data, row_bytes);
  }
}

// Counts and rows come from another process: they are compared with the part before any memory is
// taken by them. A row that came twice would show in the shape of the values.
void read_rows(MessageReader& message, RowGradient& gradient, ArrayPart part) {
  const std::int64_t width = gradient.values().cols();
  const auto count = message.get<std::uint64_t>();
  if (count > static_cast<std::uint64_t>(part.size())) refuse();
  const std::string_view bytes = message.get_bytes(count * sizeof(std::int32_t));
  std::vector<std::int32_t> rows(count);
  if (count > 0) std::memcpy(rows.data(), bytes.data(), bytes.size());
  for (const std::int32_t row : rows) {
    if (row * width < part.begin || row * width >= part.end) refuse();
  }
  const View values = gradient.touch(rows);
  if (static_cast<std::uint64_t>(values.shape[0]) != count) refuse();
  read_values(message, values);
}

void read_array(MessageReader& message, const Parameter& parameter, ArrayPart part,
                Gradients& gradients) {
  if (part.is_whole(parameter.value.size())) {
    return read_values(message, gradients.accumulator_of(parameter).array.view());
  }
  read_values(message, part_of_array(gradients.of(parameter).view(), part));
}

}  // namespace

void write_gradients(MessageWriter& message, const Gradients& gradients,
                     std::span<const NamedParameter> parameters, const PartOf& part_of) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ArrayPart part = part_of(i);
    if (part.is_empty()) continue;
    const Parameter& parameter = *parameters[i].parameter;
    if (const RowGradient* rows = gradients.find_rows(parameter)) {
      message.put(Form::rows);
      message.put(static_cast<std::uint32_t>(i));
      write_rows(message, *rows, part, part.is_whole(parameter.value.size()));
    } else if (const Tensor* array = gradients.find_array(parameter)) {
      message.put(Form::array);
      message.put(static_cast<std::uint32_t>(i));
      write_values(message, part_of_array(array->cview(), part));
    }
  }
  message.put(Form::end);
}

void read_gradients(MessageReader& message, std::span<const NamedParameter> parameters,
                    const PartOf& part_of, Gradients& gradients) {
  while (true) {
    const auto form = message.get<Form>();
    if (form == Form::end) return;
    const auto index = message.get<std::uint32_t>();
    if (index >= parameters.size() || form > Form::rows) refuse();
    const Parameter& parameter = *parameters[index].parameter;
    const ArrayPart part = part_of(index);
    if (part.is_empty()) refuse();
    if (form == Form::rows) {
      read_rows(message, gradients.rows_of(parameter), part);
    } else {
      read_array(message, parameter, part, gradients);
    }
  }
}

}  // namespace weft
