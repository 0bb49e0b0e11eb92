#include <filesystem>

#include "framework/io/json_file.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"

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
  require_there(c.path);
  return read_json_file(c.path);
}

const Registration registered{"readers", "srsly.read_json.v1", read_json,
                              "the value in a JSON file"};

}  // namespace
}  // namespace weft
