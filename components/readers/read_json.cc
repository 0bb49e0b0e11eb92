#include <filesystem>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

struct Settings {
  std::filesystem::path path;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a JSON file");
}

Node read_json(const Settings& c) {
  auto value = parse_json(read_file(c.path));
  if (!value) throw Error(ErrorKind::data, fmt::format("{} is not valid JSON", c.path.string()));
  return std::move(*value);
}

const Registration registered{"readers", "srsly.read_json.v1", read_json,
                              "the value in a JSON file"};

}  // namespace
}  // namespace weft
