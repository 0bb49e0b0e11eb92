#include "framework/training/logs/silent_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string prefix = "cupy";
};

template <class V>
void fields(V& v, Settings& c) {
  v("prefix", c.prefix, "put before the names of its values");
}

Logger cupy_logger(const Settings&) {
  return silent_log(
      "spacy.CupyLogger.v1 tells of the memory of CuPy, which weft does not use; it logs nothing");
}

const Registration registered{"spacy.CupyLogger.v1", cupy_logger,
                              "known by name; there is no CuPy whose memory it could tell of"};

}  // namespace
}  // namespace weft
