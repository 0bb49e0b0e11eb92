#include "framework/training/logs/lookup_log.h"

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/training/logs/custom_stats.h"
#include "framework/training/logs/logged_values.h"
#include "registry/value/json.h"

namespace weft {
namespace {

class LookupSession : public LogSession {
 public:
  LookupSession(const std::vector<std::string>& patterns, const LogSetup& setup)
      : setup_(setup), patterns_("patterns of the lookup logger", patterns) {}

  void evaluated(const TrainingInfo& info) override {
    for (const LoggedValue& leaf : leaves_of(told_object(info, setup_.output))) {
      const std::string name = leaf.name();
      if (!patterns_.match(name)) continue;
      const std::string text =
          leaf.value.is_string() ? leaf.value.as_string() : to_json(leaf.value);
      setup_.out << fmt::format("{} -> {}\n", name, text);
    }
    setup_.out << std::flush;
  }

 private:
  LogSetup setup_;
  NamePatterns patterns_;
};

}  // namespace

Logger lookup_log(std::vector<std::string> patterns) {
  return {[patterns = std::move(patterns)](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<LookupSession>(patterns, setup);
  }};
}

}  // namespace weft
