// spaCy's loggers for ClearML: their parameters are checked, and end in an error that says which
// loggers take their place.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/training/logger.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

template <int version>
struct Settings {
  std::string project_name, task_name;
  std::vector<std::string> remove_config_values;
  std::optional<std::int64_t> model_log_interval;
  std::optional<std::string> log_dataset_dir, log_best_dir, log_latest_dir;
  std::optional<std::vector<std::string>> log_custom_stats;
};

template <class V, int version>
void fields(V& v, Settings<version>& c) {
  v.required("project_name", c.project_name, "the project that the task belongs to");
  v.required("task_name", c.task_name, "as the task is called");
  v("remove_config_values", c.remove_config_values, "settings that are not logged");
  v("model_log_interval", c.model_log_interval, "steps between pipelines that are uploaded",
    at_least(1));
  v("log_dataset_dir", c.log_dataset_dir, "a folder of data that is uploaded");
  v("log_best_dir", c.log_best_dir, "the folder of the best pipeline, to be uploaded");
  v("log_latest_dir", c.log_latest_dir, "the folder of the last pipeline, to be uploaded");
  if constexpr (version >= 2) {
    v("log_custom_stats", c.log_custom_stats, "patterns of names that are logged too");
  }
}

template <int version>
Logger clearml_logger(const Settings<version>&) {
  throw Error(ErrorKind::config,
              "ClearML takes runs over the network alone, which weft does not do; "
              "weft.TensorBoardLogger.v1, spacy.MLflowLogger.v2, spacy.WandbLogger.v5 and "
              "weft.CsvLogger.v1 write the same numbers to files");
}

constexpr const char* kAbout = "known by name; says which loggers take its place";

const Registration v1{"spacy.ClearMLLogger.v1", clearml_logger<1>, kAbout};
const Registration v2{"spacy.ClearMLLogger.v2", clearml_logger<2>, kAbout};

}  // namespace
}  // namespace weft
