#include "framework/training/logs/tensorboard_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  TensorBoardOptions log{.folder = "tensorboard"};
};

template <class V>
void fields(V& v, Settings& c) {
  v("folder", c.log.folder, "the run's own folder, which gets one event file", written);
  v("remove_config_values", c.log.remove_config_values,
    "settings and sections that are not logged");
  v("log_custom_stats", c.log.log_custom_stats,
    "patterns of names that are logged too: `words`, `seconds`, `losses` …");
  v("histograms", c.log.histograms, "how the numbers of each parameter are distributed, too");
}

Logger tensorboard_logger(const Settings& c) {
  return tensorboard_log(c.log);
}

const Registration registered{"weft.TensorBoardLogger.v1", tensorboard_logger,
                              "an event file that TensorBoard opens"};

}  // namespace
}  // namespace weft
