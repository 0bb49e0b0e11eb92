#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/training/chain_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::array<std::optional<Logger>, 10> loggers;
};

template <class V>
void fields(V& v, Settings& c) {
  for (std::size_t i = 0; i < c.loggers.size(); ++i) {
    v("logger" + std::to_string(i + 1), c.loggers[i], "told in this order");
  }
}

Logger chain_logger(const Settings& c) {
  std::vector<Logger> logs;
  for (const auto& logger : c.loggers) {
    if (logger) logs.push_back(*logger);
  }
  return chain_logs(std::move(logs));
}

const Registration registered{"spacy.ChainLogger.v1", chain_logger, "several loggers as one"};

}  // namespace
}  // namespace weft
