// weft.train: the command `weft train` as a function.
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "catalogue.h"
#include "gil.h"
#include "interruption.h"
#include "logging_stream.h"
#include "nodes.h"
#include "pipeline.h"
#include "python_stream.h"
#include "text.h"

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/language_notes.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/render/escaped.h"
#include "framework/text/escaping_buffer.h"
#include "framework/training/run_folder.h"
#include "framework/training/run_folder_contents.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

namespace fs = std::filesystem;

struct TrainingResult {
  std::shared_ptr<Pipeline> nlp;
  TrainingState state;
  std::string end;
  std::optional<fs::path> output;
};

// Standard output as Python has it now, and `logging`; control characters are shown as escapes.
struct Streams {
  explicit Streams(Interruption& interruption)
      : out_lines("stdout", interruption), err_lines(interruption) {}

  PythonStream out_lines;
  LoggingStream err_lines;
  EscapingBuffer out_buffer{out_lines}, err_buffer{err_lines};
  std::ostream out{&out_buffer}, err{&err_buffer};

  void finish() {
    out.flush();
    err.flush();
    out_lines.finish();
    err_lines.finish();
  }
};

void check_output(const fs::path& output, bool resume, bool overwrite) {
  if (resume || overwrite || output.empty() || !fs::exists(output)) return;
  if (fs::is_directory(output) && fs::is_empty(output)) return;
  throw Error(ErrorKind::usage, output.string() +
                                    " is not empty; resume=True goes on from its checkpoint, "
                                    "overwrite=True replaces what an earlier run left there");
}

TrainOptions options_of(const std::optional<fs::path>& output, bool resume, bool overwrite,
                        int threads, int gpu, std::ostream& err) {
  TrainOptions options;
  options.output = output.value_or("");
  options.threads = choose_threads(threads);
  options.gpu = gpu;
  options.overwrite = overwrite;
  check_output(options.output, resume, overwrite);
  if (!resume) return options;
  if (options.output.empty()) {
    throw Error(ErrorKind::usage, "resume=True needs the output of the run that goes on");
  }
  repair_run_folder(options.output);
  options.resume_from = checkpoint_to_resume(options.output, overwrite);
  options.starts_again = options.resume_from.empty();
  if (options.starts_again) {
    err << fmt::format("note: no checkpoint in {}: the run starts from the beginning\n",
                       options.output.string());
  }
  return options;
}

TrainingResult train_config(const fs::path& file, const std::optional<fs::path>& output,
                            const nb::dict& values, bool resume, bool overwrite,
                            const std::vector<std::string>& code, int threads, int gpu) {
  const Overrides overrides = overrides_of(values);
  Interruption interruption;
  Streams streams(interruption);
  TrainedPipeline trained;
  {
    const ReleasedGil release;
    TrainOptions options = options_of(output, resume, overwrite, threads, gpu, streams.err);
    options.interrupted = [&] { return interruption.came(); };
    const Catalogue catalogue = catalogue_with(code);
    Problems problems;
    const Config config = load_pipeline_config(file, overrides, catalogue, problems);
    report_problems(problems, streams.err);
    report_problems(language_notes(config, catalogue), streams.err);
    trained = train_pipeline(config, catalogue, options, streams.out, streams.err);
    streams.finish();
  }
  interruption.raise();
  std::optional<Source> source;
  if (output && code.empty()) source = Source{fs::absolute(*output) / "model-last", {}, gpu};
  return {std::make_shared<Pipeline>(trained.nlp, source), trained.state, trained.how_it_ended,
          output};
}

nb::list log_of(const TrainingResult& result) {
  nb::list log;
  for (const auto& [score, step] : result.state.results) {
    nb::dict entry;
    entry["step"] = step;
    entry["score"] = score;
    log.append(entry);
  }
  return log;
}

std::optional<double> best_score(const TrainingResult& result) {
  for (const auto& [score, step] : result.state.results) {
    if (step == best_step(result.state)) return score;
  }
  return std::nullopt;
}

nb::object scores_of(const TrainingResult& result) {
  const Object meta = result.nlp->use([](const Language& nlp) { return nlp.meta(); });
  const Node* scores = meta.find("performance");
  return scores == nullptr ? nb::dict() : to_python(*scores);
}

// A row for each evaluation, the best one in bold.
std::string html_of(const TrainingResult& result) {
  std::string rows;
  for (const auto& [score, step] : result.state.results) {
    const char* cell = step == best_step(result.state) ? "th" : "td";
    rows += fmt::format("<tr><{0}>{1}</{0}><{0}>{2:.4f}</{0}></tr>", cell, step, score);
  }
  return fmt::format(
      "<table><caption>the run ended {}</caption><tr><th>step</th><th>score</th></tr>{}</table>",
      markup_text(result.end), rows);
}

}  // namespace

void bind_training(nb::module_& module) {
  nb::class_<TrainingResult>(module, "TrainingResult", "The outcome of a training run.")
      .def_ro("nlp", &TrainingResult::nlp, "The pipeline as the last step left it.")
      .def_prop_ro("best_score", best_score, "None where nothing was evaluated.")
      .def_prop_ro("best_step", [](const TrainingResult& self) { return best_step(self.state); })
      .def_prop_ro("scores", scores_of, nb::sig("def scores(self) -> dict[str, typing.Any]"),
                   "The scores of the last evaluation, as meta.json has them.")
      .def_prop_ro("log", log_of, nb::sig("def log(self) -> list[dict[str, typing.Any]]"),
                   "Step and score of each evaluation.")
      .def_prop_ro("steps", [](const TrainingResult& self) { return self.state.step; })
      .def_ro("end", &TrainingResult::end, "How the run ended, in words.")
      .def_prop_ro(
          "path",
          [](const TrainingResult& self) -> std::optional<fs::path> {
            if (!self.output) return std::nullopt;
            return *self.output / "model-best";
          },
          "The folder of the best pipeline; None where nothing was saved.")
      .def("_repr_html_", html_of, "Step and score of each evaluation, as notebooks show it.")
      .def("__repr__", [](const TrainingResult& self) {
        return str_of("TrainingResult(the run ended " + self.end + ")");
      });
  module.def(
      "train", train_config, nb::arg("config"), nb::arg("output") = nb::none(),
      nb::arg("overrides") = nb::dict(), nb::kw_only(), nb::arg("resume") = false,
      nb::arg("overwrite") = false, nb::arg("code") = std::vector<std::string>(),
      nb::arg("n_threads") = 0, nb::arg("gpu") = -1,
      nb::sig("def train(config: str | os.PathLike, output: str | os.PathLike | None = None, "
              "overrides: dict[str, typing.Any] = {}, *, resume: bool = False, overwrite: bool = "
              "False, code: collections.abc.Sequence[str] = (), n_threads: int = 0, gpu: int = "
              "-1) -> TrainingResult"),
      "Trains the pipeline of a config, as `weft train` does: n_threads=0 takes all cores. Ctrl-C "
      "ends the run behind a step; what it has is saved before KeyboardInterrupt is raised.");
}

}  // namespace weft::python
