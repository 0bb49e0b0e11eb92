// Ways to a pipeline: from a folder, a language, a config.
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

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

#include "components/weft.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/language_notes.h"
#include "framework/pipeline/list_devices.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

Pipeline* load_choice(const fs::path& folder, const ComponentChoice& choice, int gpu,
                      const Names& code) {
  if (gpu < -1) throw nb::value_error("gpu is the number of a GPU, or -1 for the CPU");
  const ReleasedGil release;
  const Catalogue catalogue = catalogue_with(code);
  auto nlp = load(folder, choice, catalogue);
  run_on_gpu(*nlp, gpu);
  // One that needs plugins is not loaded again without them.
  if (!code.empty()) return new Pipeline(std::move(nlp));
  return new Pipeline(std::move(nlp), Source{fs::absolute(folder), choice, gpu});
}

Pipeline* load_folder(const fs::path& folder, const Names& exclude, const Names& disable,
                      const Names& enable, const Names& code, int gpu) {
  return load_choice(folder, {exclude, disable, enable}, gpu, code);
}

// A language without rules of its own is told to `logging`.
Pipeline* noted(std::shared_ptr<Language> nlp, const Catalogue& catalogue) {
  Interruption interruption;
  LoggingStream lines(interruption);
  std::ostream out(&lines);
  for (const Problem& note : language_notes(nlp->config(), catalogue)) {
    out << "warning: " << note.message << std::endl;
  }
  interruption.raise();
  return new Pipeline(std::move(nlp));
}

Pipeline* blank_pipeline(const std::string& lang, const Names& pipes, const Names& code) {
  const ReleasedGil release;
  const Catalogue catalogue = catalogue_with(code);
  return noted(blank(lang, pipes, catalogue), catalogue);
}

Pipeline* pipeline_of_config(const fs::path& file, const nb::dict& values, const Names& code) {
  const Overrides overrides = overrides_of(values);
  const ReleasedGil release;
  const Catalogue catalogue = catalogue_with(code);
  return noted(from_config(file, overrides, catalogue), catalogue);
}

Pipeline* assemble(const fs::path& config, const std::optional<fs::path>& output,
                   const nb::dict& values, const Names& code) {
  const Overrides overrides = overrides_of(values);
  std::unique_ptr<Pipeline> made;
  {
    const ReleasedGil release;
    made = std::make_unique<Pipeline>(weft::assemble(config, overrides, catalogue_with(code)));
  }
  if (output) made->to_disk(*output);
  return made.release();
}

nb::dict devices() {
  const DeviceList list = [] {
    const ReleasedGil release;
    return list_devices();
  }();
  nb::dict facts;
  facts["devices"] = nb::cast(list.devices);
  facts["no_gpu"] = list.why_no_gpu.empty() ? nb::none() : nb::cast(list.why_no_gpu);
  return facts;
}

}  // namespace

void bind_pipelines(nb::module_& module) {
  module.def("load", load_folder, nb::arg("path"), nb::kw_only(), nb::arg("exclude") = Names(),
             nb::arg("disable") = Names(), nb::arg("enable") = Names(), nb::arg("code") = Names(),
             nb::arg("gpu") = -1,
             "A saved pipeline, of weft or of spaCy 3. `exclude` leaves components out, `disable` "
             "reads and does not run them, `enable` disables all others; `code` lists plugins.");
  module.def("blank", blank_pipeline, nb::arg("lang"), nb::arg("pipeline") = Names(), nb::kw_only(),
             nb::arg("code") = Names(),
             "A pipeline to be initialised: components with the defaults of their factories.");
  module.def(
      "from_config", pipeline_of_config, nb::arg("config"), nb::arg("overrides") = nb::dict(),
      nb::kw_only(), nb::arg("code") = Names(),
      nb::sig("def from_config(config: str | os.PathLike, overrides: dict[str, typing.Any] = {}, "
              "*, code: collections.abc.Sequence[str] = ()) -> Language"),
      "The pipeline of a config file, to be initialised. Raises ConfigError with all problems.");
  module.def(
      "assemble", assemble, nb::arg("config"), nb::arg("output") = nb::none(),
      nb::arg("overrides") = nb::dict(), nb::kw_only(), nb::arg("code") = Names(),
      nb::sig("def assemble(config: str | os.PathLike, output: str | os.PathLike | None = None, "
              "overrides: dict[str, typing.Any] = {}, *, code: "
              "collections.abc.Sequence[str] = ()) -> Language"),
      "Puts a pipeline together without training, from sourced and plain components.");
  module.def(
      "_find_pipeline",
      [](const std::string& name, const std::vector<std::string>& folders) {
        return find_pipeline(name, {folders.begin(), folders.end()});
      },
      nb::arg("name"), nb::arg("folders"),
      nb::sig("def _find_pipeline(name: str, folders: collections.abc.Sequence[str]) -> "
              "pathlib.Path"));
  module.def("_devices", devices, nb::sig("def _devices() -> dict[str, typing.Any]"));
}

}  // namespace weft::python
