// Runs a recorded update with the recorded random decisions and compares what comes out.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_update/update_record.h"

namespace weft::conformance {

// Differences that were found, one line each.
using Faults = std::vector<std::string>;

// A pipeline with its saved weights, ready for recorded updates.
class Replay {
 public:
  Replay(const std::filesystem::path& pipeline, const std::filesystem::path& folder,
         const Catalogue& catalogue);

  // Runs one update as one shard. Gradients stay until `clear`; compares losses and parses.
  void run(const UpdateRecord& record, const SafeTensors& tensors, Faults& faults);
  // Compares the gradients' norms; and every array, where the file has them.
  void compare_gradients(const UpdateRecord& record, const SafeTensors& tensors, Faults& faults);
  void clear() { runner_.gradients().clear(); }

  // Parameters of all components by the name of the records: component/node/name/parameter.
  std::vector<std::pair<std::string, Parameter*>> parameters() const;
  Gradients& gradients() { return runner_.gradients(); }
  Language& nlp() { return *nlp_; }

 private:
  void compare_parses(const UpdateRecord& record, Faults& faults) const;

  std::shared_ptr<Language> nlp_;
  std::vector<Example> examples_;
  WorkerPool pool_{1};
  ShardRunner runner_;
};

}  // namespace weft::conformance
