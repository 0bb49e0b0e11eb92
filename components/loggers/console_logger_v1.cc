#include "framework/training/console_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  bool progress_bar = false;
};

template <class V>
void fields(V& v, Settings& c) {
  v("progress_bar", c.progress_bar,
    "on a terminal: show the steps to the next evaluation instead of those to the end");
}

Logger console_logger(const Settings& c) {
  ConsoleLogOptions options;
  if (c.progress_bar) options.progress = ProgressTarget::next_evaluation;
  return console_log(options);
}

const Registration registered{"spacy.ConsoleLogger.v1", console_logger,
                              "a table with a row for each evaluation"};

const Registration legacy{"spacy-legacy.ConsoleLogger.v1", console_logger,
                          "a table with a row for each evaluation"};

}  // namespace
}  // namespace weft
