#include "framework/training/resume.h"

#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/resume_rules.h"
#include "framework/training/resumed_state.h"

namespace weft {

ResumedRun open_checkpoint(const std::filesystem::path& folder, const Config& config,
                           const Catalogue& catalogue) {
  ResumedRun resumed{read_checkpoint(folder), {}, folder};
  Problems problems;
  const Config at_start =
      load_pipeline_config(config_of_checkpoint(folder), {}, catalogue, problems);
  throw_errors(problems);
  check_resumed_state(resumed.checkpoint);
  resumed.config = with_built_components(at_start, config);
  throw_errors(check_resumed_config(expanded(at_start), expanded(resumed.config)));
  return resumed;
}

}  // namespace weft
