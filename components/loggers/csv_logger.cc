#include <filesystem>

#include "framework/training/logs/csv_log.h"
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

Logger csv_logger(const Settings& c) {
  return csv_log(c.path);
}

const Registration registered{"weft.CsvLogger.v1", csv_logger,
                              "a row of comma-separated values per evaluation in a file"};

}  // namespace
}  // namespace weft
