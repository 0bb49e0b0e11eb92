// The files of one run in MLflow's file store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "framework/training/logs/log_folder.h"
#include "registry/base/export.h"

namespace weft {

// A name as MLflow takes it and as the name of a file: letters and digits of any script, `_`, `-`,
// `.`, `:` and blanks, of at most 240 bytes, not "." and not with ".." at the start. All else
// becomes `_`.
WEFT_API std::string mlflow_name(std::string_view name);

// Names of one kind; those that mlflow_name would make equal get numbers.
class WEFT_API MlflowNames {
 public:
  // The name of the file for `name`; the same one each time.
  const std::string& of(const std::string& name);
  // A name that an earlier part of the run gave. Throws Error(data) for one that mlflow_name would
  // not give.
  void restore(const std::string& name, const std::string& file);
  std::size_t size() const { return files_.size(); }
  // One whose file has another name; "" if there is none.
  const std::string& changed() const { return changed_; }

 private:
  std::map<std::string, std::string> files_;
  std::set<std::string> taken_;
  std::string changed_;
};

enum class MlflowStatus : std::uint8_t { running = 1, finished = 3, failed = 4, killed = 5 };

struct MlflowRun {
  std::string id, experiment, name;
  std::int64_t started = 0;  // milliseconds since 1970
};

// Texts of the two kinds of meta.yaml; `folder` is where the store lies.
WEFT_API std::string mlflow_run_meta(const MlflowRun& run, const std::filesystem::path& folder,
                                     MlflowStatus status, std::int64_t ended);
WEFT_API std::string mlflow_experiment_meta(const std::string& experiment,
                                            const std::filesystem::path& folder, std::int64_t now);

}  // namespace weft
