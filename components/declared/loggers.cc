// Names of spaCy 3.8 and its libraries of the kind `loggers` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
spacy-legacy.WandbLogger.v1
  project_name str
  remove_config_values [str] = []
spacy.ClearMLLogger.v1
  project_name str
  task_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
  log_best_dir str? = null
  log_latest_dir str? = null
spacy.ClearMLLogger.v2
  project_name str
  task_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
  log_best_dir str? = null
  log_latest_dir str? = null
  log_custom_stats [str]? = null
spacy.CupyLogger.v1
  prefix str = "cupy"
spacy.LookupLogger.v1
  patterns [str]
spacy.MLflowLogger.v1
  run_id str? = null
  experiment_id str? = null
  run_name str? = null
  nested bool = false
  tags dict? = null
  remove_config_values [str] = []
spacy.MLflowLogger.v2
  run_id str? = null
  experiment_id str? = null
  run_name str? = null
  nested bool = false
  tags dict? = null
  remove_config_values [str] = []
  log_custom_stats [str]? = null
spacy.PyTorchLogger.v1
  prefix str = "pytorch"
  device int = 0
  cuda_mem_pool str = "all"
  cuda_mem_metric str = "all"
spacy.WandbLogger.v1
  project_name str
  remove_config_values [str] = []
spacy.WandbLogger.v2
  project_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
spacy.WandbLogger.v3
  project_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
  entity str? = null
  run_name str? = null
spacy.WandbLogger.v4
  project_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
  entity str? = null
  run_name str? = null
  log_best_dir str? = null
  log_latest_dir str? = null
spacy.WandbLogger.v5
  project_name str
  remove_config_values [str] = []
  model_log_interval int? = null
  log_dataset_dir str? = null
  entity str? = null
  run_name str? = null
  log_best_dir str? = null
  log_latest_dir str? = null
  log_custom_stats [str]? = null
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "loggers", kNames); });

}  // namespace
}  // namespace weft
