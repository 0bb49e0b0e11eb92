#include "framework/training/gradient_message.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "framework/comm/comm_error.h"

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

// Counts and rows come from another process: they are compared with the parameter before any memory
// is taken by them. A row that came twice would show in the shape of the values.
void read_rows(MessageReader& message, RowGradient& gradient, std::int64_t elements) {
  const auto count = message.get<std::uint64_t>();
  if (count > static_cast<std::uint64_t>(elements)) refuse();
  const std::string_view bytes = message.get_bytes(count * sizeof(std::int32_t));
  std::vector<std::int32_t> rows(count);
  if (count > 0) std::memcpy(rows.data(), bytes.data(), bytes.size());
  for (const std::int32_t row : rows) {
    if (row < 0 || row >= elements) refuse();
  }
  const View values = gradient.touch(rows);
  if (static_cast<std::uint64_t>(values.shape[0]) != count) refuse();
  read_values(message, values);
}

}  // namespace

void write_gradients(MessageWriter& message, const Gradients& gradients,
                     std::span<const NamedParameter> parameters,
                     const std::function<bool(std::size_t)>& is_taken) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!is_taken(i)) continue;
    const Parameter& parameter = *parameters[i].parameter;
    if (const RowGradient* rows = gradients.find_rows(parameter)) {
      message.put(Form::rows);
      message.put(static_cast<std::uint32_t>(i));
      message.put<std::uint64_t>(rows->rows().size());
      message.put_bytes(rows->rows().data(), rows->rows().size_bytes());
      write_values(message, rows->values());
    } else if (const Tensor* array = gradients.find_array(parameter)) {
      message.put(Form::array);
      message.put(static_cast<std::uint32_t>(i));
      write_values(message, array->cview());
    }
  }
  message.put(Form::end);
}

void read_gradients(MessageReader& message, std::span<const NamedParameter> parameters,
                    Gradients& gradients) {
  while (true) {
    const auto form = message.get<Form>();
    if (form == Form::end) return;
    const auto index = message.get<std::uint32_t>();
    if (index >= parameters.size() || form > Form::rows) refuse();
    const Parameter& parameter = *parameters[index].parameter;
    if (form == Form::rows) {
      read_rows(message, gradients.rows_of(parameter), parameter.value.size());
    } else {
      read_values(message, gradients.accumulator_of(parameter).array.view());
    }
  }
}

}  // namespace weft
