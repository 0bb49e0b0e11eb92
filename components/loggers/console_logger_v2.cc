#include "framework/training/console_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  bool progress_bar = false;
  bool console_output = true;
  std::optional<std::filesystem::path> output_file;
};

template <class V>
void fields(V& v, Settings& c) {
  v("progress_bar", c.progress_bar,
    "on a terminal: show the steps to the next evaluation instead of those to the end");
  v("console_output", c.console_output, "write the table");
  v("output_file", c.output_file, "also write JSON lines to this file, unless it exists", written);
}

Logger console_logger(const Settings& c) {
  ConsoleLogOptions options{.table = c.console_output, .file = c.output_file};
  if (c.progress_bar) options.progress = ProgressTarget::next_evaluation;
  return console_log(std::move(options));
}

const Registration registered{"spacy.ConsoleLogger.v2", console_logger,
                              "a table with a row for each evaluation, or JSON lines in a file"};

const Registration legacy{"spacy-legacy.ConsoleLogger.v2", console_logger,
                          "a table with a row for each evaluation, or JSON lines in a file"};

}  // namespace
}  // namespace weft
