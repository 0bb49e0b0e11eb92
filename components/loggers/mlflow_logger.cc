// spaCy's loggers for MLflow; v2 writes no table, and takes log_custom_stats.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/training/chain_log.h"
#include "framework/training/console_log.h"
#include "framework/training/logs/mlflow_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

template <int version>
struct Settings {
  MlflowOptions log{.folder = "mlruns"};
  bool nested = false;
  std::optional<Object> tags;
  std::optional<std::vector<std::string>> log_custom_stats;
};

template <class V, int version>
void fields(V& v, Settings<version>& c) {
  v("run_id", c.log.run_id, "32 hexadecimal digits; null: drawn");
  v("experiment_id", c.log.experiment_id, "digits; null: the default experiment");
  v("run_name", c.log.run_name, "as the run is called; null: as the output folder");
  v("nested", c.nested, "whether the run is part of another", Ignored{"a run stands by itself"});
  v("tags", c.tags, "tags of the run");
  v("remove_config_values", c.log.remove_config_values,
    "settings and sections that are not logged");
  if constexpr (version >= 2) {
    v("log_custom_stats", c.log_custom_stats,
      "patterns of names that are logged too: `words`, `seconds`, `losses` …");
  }
  v("folder", c.log.folder, "the file store; not a parameter of spaCy's", written, not_filled,
    keyword_only);
}

template <int version>
Logger mlflow_logger(const Settings<version>& c) {
  MlflowOptions options = c.log;
  options.tags = c.tags.value_or(Object());
  options.log_custom_stats = c.log_custom_stats.value_or(std::vector<std::string>());
  Logger logger = mlflow_log(std::move(options));
  return version < 2 ? chain_logs({console_log({}), std::move(logger)}) : logger;
}

const Registration v1{"spacy.MLflowLogger.v1", mlflow_logger<1>,
                      "the table, and a run in a file store of MLflow"};
const Registration v2{"spacy.MLflowLogger.v2", mlflow_logger<2>, "a run in a file store of MLflow"};

}  // namespace
}  // namespace weft
