#include "framework/training/logs/lookup_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::vector<std::string> patterns;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("patterns", c.patterns, "regular expressions that are looked for in dotted names");
}

Logger lookup_logger(const Settings& c) {
  return lookup_log(c.patterns);
}

const Registration registered{"spacy.LookupLogger.v1", lookup_logger,
                              "a line for each value whose name a pattern is found in"};

}  // namespace
}  // namespace weft
