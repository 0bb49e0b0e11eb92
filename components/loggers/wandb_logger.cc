// spaCy's loggers for Weights & Biases; each version has the parameters of those before it.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/training/chain_log.h"
#include "framework/training/console_log.h"
#include "framework/training/logs/wandb_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

template <int version>
struct Settings {
  WandbOptions log{.folder = "wandb", .project = ""};
  std::optional<std::int64_t> model_log_interval;
  std::optional<std::string> log_dataset_dir, log_best_dir, log_latest_dir;
  std::optional<std::vector<std::string>> log_custom_stats;
};

// Artefacts are uploaded by another command: a note says so where one is asked for.
constexpr Ignored kNoArtifacts{
    "files are not part of the offline run; `wandb artifact put` uploads them"};

template <class V, int version>
void fields(V& v, Settings<version>& c) {
  v.required("project_name", c.log.project, "the project that the run belongs to");
  v("remove_config_values", c.log.remove_config_values,
    "settings and sections that are not logged");
  if constexpr (version >= 2) {
    v("model_log_interval", c.model_log_interval, "steps between pipelines that are uploaded",
      kNoArtifacts, at_least(1));
    v("log_dataset_dir", c.log_dataset_dir, "a folder of data that is uploaded", kNoArtifacts);
  }
  if constexpr (version >= 3) {
    v("entity", c.log.entity, "the user or team that the run belongs to");
    v("run_name", c.log.run_name, "as the run is called; null: W&B draws a name");
  }
  if constexpr (version >= 4) {
    v("log_best_dir", c.log_best_dir, "the folder of the best pipeline, to be uploaded",
      kNoArtifacts);
    v("log_latest_dir", c.log_latest_dir, "the folder of the last pipeline, to be uploaded",
      kNoArtifacts);
  }
  if constexpr (version >= 5) {
    v("log_custom_stats", c.log_custom_stats,
      "patterns of names that are logged too: `words`, `seconds`, `losses` …");
  }
  v("folder", c.log.folder, "where offline runs lie; not a parameter of spaCy's", written,
    not_filled, keyword_only);
}

// The versions before v5 write the table too.
template <int version>
Logger wandb_logger(const Settings<version>& c) {
  WandbOptions options = c.log;
  options.log_custom_stats = c.log_custom_stats.value_or(std::vector<std::string>());
  Logger logger = wandb_log(std::move(options));
  return version < 5 ? chain_logs({console_log({}), std::move(logger)}) : logger;
}

constexpr const char* kWithTable = "the table, and an offline run for Weights & Biases";
constexpr const char* kRunAlone = "an offline run for Weights & Biases";

const Registration legacy{"spacy-legacy.WandbLogger.v1", wandb_logger<1>, kWithTable};
const Registration v1{"spacy.WandbLogger.v1", wandb_logger<1>, kWithTable};
const Registration v2{"spacy.WandbLogger.v2", wandb_logger<2>, kWithTable};
const Registration v3{"spacy.WandbLogger.v3", wandb_logger<3>, kWithTable};
const Registration v4{"spacy.WandbLogger.v4", wandb_logger<4>, kWithTable};
const Registration v5{"spacy.WandbLogger.v5", wandb_logger<5>, kRunAlone};

}  // namespace
}  // namespace weft
