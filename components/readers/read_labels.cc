// Label files, as `init labels` writes them: what a component's `labels` in [initialize] may be.
#include <filesystem>

#include <fmt/format.h>

#include "framework/io/json_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::filesystem::path path;
  bool require = false;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a JSON file of labels");
  v("require", c.require, "false: null if the file is not there, so that labels come from the data",
    keyword_only);
}

Node read_labels(const Settings& c) {
  if (!is_there(c.path)) {
    if (!c.require) return nullptr;
    throw Error(
        ErrorKind::config,
        fmt::format("there is no file '{}'; `weft init labels` writes one for each component",
                    c.path.string()));
  }
  return read_json_file(c.path);
}

const Registration registered{"readers", "spacy.read_labels.v1", read_labels,
                              "labels from a JSON file"};

}  // namespace
}  // namespace weft
