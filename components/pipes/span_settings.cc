#include "components/pipes/span_settings.h"

#include <limits>

#include <fmt/format.h>

#include "framework/io/mapped_file.h"
#include "framework/nn/model_file.h"
#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {

void read_model_file(Model& model, const std::filesystem::path& file) {
  model_from_bytes(model, MappedFile(file).bytes(), file.string());
}

void take_spans_key(const Object& cfg, const std::string& source, std::string& key) {
  const Node* value = cfg.find("spans_key");
  if (value == nullptr) return;
  if (!value->is_string()) throw Error(ErrorKind::data, source + ": spans_key is no text");
  key = value->as_string();
}

void take_number(const Object& cfg, std::string_view key, const std::string& source,
                 NumberRange range, std::optional<double>& number) {
  const Node* value = cfg.find(key);
  if (value == nullptr) return;
  number.reset();
  if (value->is_null()) return;
  const double found = number_in(*value).value_or(-1.0);
  if (!(found >= range.least && found <= range.most)) {
    throw Error(ErrorKind::data, fmt::format("{}: {} is no number from {} to {}", source, key,
                                             range.least, range.most));
  }
  number = found;
}

void take_count(const Object& cfg, std::string_view key, const std::string& source,
                std::optional<int>& count) {
  const Node* value = cfg.find(key);
  if (value == nullptr) return;
  count.reset();
  if (value->is_null()) return;
  const auto* found = std::get_if<std::int64_t>(&value->value());
  if (found == nullptr || *found < 1 || *found > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::data, fmt::format("{}: {} is no number of 1 at least", source, key));
  }
  count = static_cast<int>(*found);
}

}  // namespace weft
