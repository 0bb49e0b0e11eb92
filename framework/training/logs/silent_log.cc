#include "framework/training/logs/silent_log.h"

#include <memory>
#include <ostream>
#include <utility>

namespace weft {
namespace {

class SilentSession : public LogSession {
  void evaluated(const TrainingInfo&) override {}
};

}  // namespace

Logger silent_log(std::string note) {
  return {[note = std::move(note)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    setup.err << "note: " << note << '\n';
    return std::make_unique<SilentSession>();
  }};
}

}  // namespace weft
