#include <filesystem>

#include "framework/training/jsonl_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::filesystem::path path;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "the file; with --overwrite one that exists is replaced", written);
}

Logger jsonl_logger(const Settings& c) {
  return jsonl_log(c.path, LogFile::Start::fresh);
}

const Registration registered{"weft.JsonlLogger.v1", jsonl_logger,
                              "a JSON object per evaluation in a file"};

}  // namespace
}  // namespace weft
