// spaCy's table of a run. Version 2 may write JSON lines too; version 3 says in words which steps
// the bar counts.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "framework/training/console_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

template <int version>
struct Settings {
  bool progress_bar = false;
  ConsoleLogOptions log;
};

template <>
struct Settings<3> {
  std::optional<std::string> progress_bar;
  ConsoleLogOptions log;
};

template <class V, int version>
void fields(V& v, Settings<version>& c) {
  if constexpr (version < 3) {
    v("progress_bar", c.progress_bar,
      "on a terminal: show the steps to the next evaluation instead of those to the end");
  } else {
    v("progress_bar", c.progress_bar,
      "on a terminal: `train` and null show the steps to the end, `eval` to the next evaluation",
      Type::optional(one_of("train", "eval")));
  }
  if constexpr (version >= 2) {
    v("console_output", c.log.table, "write the table");
    v("output_file", c.log.file, "also write JSON lines to this file, unless it exists", written);
  }
}

ProgressTarget target_of(bool progress_bar) {
  return progress_bar ? ProgressTarget::next_evaluation : ProgressTarget::unsaid;
}
ProgressTarget target_of(const std::optional<std::string>& progress_bar) {
  if (!progress_bar) return ProgressTarget::unsaid;
  return *progress_bar == "train" ? ProgressTarget::end : ProgressTarget::next_evaluation;
}

template <int version>
Logger console_logger(const Settings<version>& c) {
  ConsoleLogOptions options = c.log;
  options.progress = target_of(c.progress_bar);
  return console_log(std::move(options));
}

constexpr const char* kTable = "a table with a row for each evaluation";
constexpr const char* kTableOrLines =
    "a table with a row for each evaluation, or JSON lines in a file";

const Registration legacy_v1{"spacy-legacy.ConsoleLogger.v1", console_logger<1>, kTable};
const Registration legacy_v2{"spacy-legacy.ConsoleLogger.v2", console_logger<2>, kTableOrLines};
const Registration v1{"spacy.ConsoleLogger.v1", console_logger<1>, kTable};
const Registration v2{"spacy.ConsoleLogger.v2", console_logger<2>, kTableOrLines};
const Registration v3{"spacy.ConsoleLogger.v3", console_logger<3>, kTableOrLines};

}  // namespace
}  // namespace weft
