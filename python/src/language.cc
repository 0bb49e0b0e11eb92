// Language: a pipeline that is used, trained and saved.
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "foreign_strings.h"
#include "nodes.h"
#include "pipeline.h"
#include "signals.h"
#include "text.h"

#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/optimizer.h"

namespace weft::python {
namespace {

using LanguageClass = nb::class_<Pipeline>;
using Names = std::vector<std::string>;

Doc annotate_text(const Pipeline& self, nb::str text) {
  const std::string_view utf8 = utf8_of(text);
  return self.use([&](const Language& nlp) { return nlp(utf8); });
}

// Works on a copy: another thread may read the document meanwhile.
Doc& annotate_doc(const Pipeline& self, Doc& doc) {
  Doc annotated = doc;
  self.use([&](const Language& nlp) {
    Doc* const docs[] = {&annotated};
    nlp.annotate(docs);
    take_strings(annotated, *nlp.vocab());
  });
  doc = std::move(annotated);
  return doc;
}

Doc make_doc(const Pipeline& self, nb::str text) {
  const std::string_view utf8 = utf8_of(text);
  return self.use([&](const Language& nlp) { return nlp.make_doc(utf8); });
}

Names names_of(const Pipeline& self, bool disabled_too) {
  return self.use([&](const Language& nlp) {
    Names names;
    for (const NamedComponent& component : nlp.pipeline()) {
      if (component.enabled || disabled_too) names.push_back(component.name);
    }
    return names;
  });
}

nb::dict pipe_labels(const Pipeline& self) {
  const auto all = self.use([](const Language& nlp) {
    std::vector<std::pair<std::string, Names>> all;
    for (const NamedComponent& component : nlp.pipeline()) {
      const Component& one = *component.component;
      if (one.shows_labels()) all.emplace_back(component.name, one.labels());
    }
    return all;
  });
  nb::dict labels;
  for (const auto& [name, own] : all) labels[str_of(name)] = nb::cast(own);
  return labels;
}

// A component of a pipeline, by its name: spaCy's way to add labels.
struct Pipe {
  std::shared_ptr<Pipeline> pipeline;
  std::string name;

  template <class Work>
  auto use(const Work& work) const {
    return pipeline->use([&](const Language& nlp) { return work(*nlp.find(name)); });
  }
};

Pipe get_pipe(const std::shared_ptr<Pipeline>& self, const std::string& name) {
  if (self->use([&](const Language& nlp) { return nlp.find(name) == nullptr; })) {
    throw nb::key_error(("there is no component '" + name + "' in the pipeline").c_str());
  }
  return {self, name};
}

bool add_label(const Pipe& self, const std::string& label) {
  return self.pipeline->change(
      [&](Language& nlp) { return nlp.find(self.name)->add_label(label); });
}

// The examples, one after the other; Ctrl-C ends it.
class Counted : public ExampleStream {
 public:
  explicit Counted(std::vector<Example> examples) : examples_(std::move(examples)) {}
  ExamplePtr next() override {
    constexpr std::size_t kBetweenLooks = 256;
    if (next_ % kBetweenLooks == 0) throw_if_interrupted();
    if (next_ == examples_.size()) return nullptr;
    return std::make_shared<Example>(std::move(examples_[next_++]));
  }

 private:
  std::vector<Example> examples_;
  std::size_t next_ = 0;
};

std::vector<Example> examples_of(nb::handle given) {
  std::vector<Example> examples;
  for (const nb::handle example : given) {
    examples.push_back(nb::cast<Example>(example));
    examples.back().align_again();
  }
  return examples;
}

nb::dict evaluate(const Pipeline& self, nb::handle given, int threads) {
  Counted examples(examples_of(given));
  const Scores scores = self.use([&](const Language& nlp) {
    WorkerPool pool(checked_threads(threads));
    return Evaluation(nlp, pool).of(examples);
  });
  return to_dict(scores);
}

// Of documents that are annotated already.
nb::dict score(const Pipeline& self, nb::handle given) {
  const std::vector<Example> examples = examples_of(given);
  return to_dict(self.use([&](const Language& nlp) { return component_scores(nlp, examples); }));
}

std::shared_ptr<Optimizer> initialize(Pipeline& self, nb::object given) {
  if (given.is_none()) return self.change([](Language& nlp) { return nlp.initialize(); });
  const nb::object list = PyCallable_Check(given.ptr()) != 0 ? given() : given;
  const std::vector<Example> examples = examples_of(list);
  return self.change([&](Language& nlp) { return nlp.initialize(examples); });
}

nb::dict update(Pipeline& self, nb::handle given, double drop, std::shared_ptr<Optimizer> sgd,
                std::optional<nb::dict> losses, const Names& exclude, const Names& annotates,
                int threads) {
  if (!(drop >= 0.0 && drop < 1.0)) throw nb::value_error("drop is a number from 0 to below 1");
  checked_threads(threads);
  std::vector<Example> examples = examples_of(given);
  nb::dict sums = losses.value_or(nb::dict());
  for (const auto& [name, loss] : sums) nb::cast<double>(loss);  // throws before weights change
  Losses found;
  self.change([&](Language& nlp) {
    nlp.update(examples, {.drop = drop,
                          .sgd = sgd,
                          .losses = &found,
                          .exclude = exclude,
                          .annotates = annotates,
                          .threads = threads});
  });
  for (const auto& [name, loss] : found) {
    const nb::str key = str_of(name);
    const double before = sums.contains(key) ? nb::cast<double>(sums[key]) : 0.0;
    sums[key] = nb::float_(before + loss);
  }
  return sums;
}

// Pickling, and copy.deepcopy: the pipeline is loaded again from its folder.
nb::tuple reduce(const Pipeline& self) {
  if (!self.source()) {
    throw nb::type_error("a pipeline is pickled as its folder: save it with to_disk first");
  }
  const Source& source = *self.source();
  const nb::object load = nb::module_::import_("weft.files").attr("load_again");
  return nb::make_tuple(
      load, nb::make_tuple(nb::cast(source.folder), source.choice.exclude, source.choice.disable,
                           source.choice.enable, source.gpu));
}

void bind_facts(LanguageClass& language) {
  const auto config_of = [](const Pipeline& self) {
    return self.use([](const Language& nlp) { return nlp.config(); });
  };
  language
      .def_prop_ro("lang",
                   [](const Pipeline& self) {
                     return self.use([](const Language& nlp) { return nlp.lang(); });
                   })
      .def_prop_ro("vocab",
                   [](const Pipeline& self) {
                     return std::const_pointer_cast<Vocab>(
                         self.use([](const Language& nlp) { return nlp.vocab(); }));
                   })
      .def_prop_ro(
          "pipe_names", [](const Pipeline& self) { return names_of(self, false); },
          "The components that run, in order.")
      .def_prop_ro(
          "component_names", [](const Pipeline& self) { return names_of(self, true); },
          "All components, disabled ones too.")
      .def("get_pipe", get_pipe, nb::arg("name"), "A component by its name.")
      .def_prop_ro("pipe_labels", pipe_labels,
                   nb::sig("def pipe_labels(self) -> dict[str, list[str]]"),
                   "The labels of each component that shows them.")
      .def_prop_ro(
          "config",
          [=](const Pipeline& self) {
            return nb::module_::import_("weft.views")
                .attr("config")(to_dict(config_of(self).root()));
          },
          nb::sig("def config(self) -> dict[str, typing.Any]"),
          "The filled config, variables as they are written; writing into it is an error.")
      .def_prop_ro(
          "config_text", [=](const Pipeline& self) { return config_text(config_of(self)); },
          "The config as a .cfg file holds it.")
      .def_prop_ro(
          "meta",
          [](nb::handle self) { return nb::module_::import_("weft.views").attr("Meta")(self); },
          nb::sig("def meta(self) -> dict[str, typing.Any]"),
          "What meta.json has beyond that which follows from the pipeline. What is written into "
          "the "
          "dict is saved.")
      .def(
          "_meta",
          [](const Pipeline& self) {
            return to_dict(self.use([](const Language& nlp) { return nlp.meta(); }));
          },
          nb::sig("def _meta(self) -> dict[str, typing.Any]"))
      .def(
          "_set_meta",
          [](Pipeline& self, const nb::dict& values) {
            const Node meta = node_of(values);
            self.change([&](Language& nlp) { nlp.meta() = meta.as_object(); });
          },
          nb::arg("values"), nb::sig("def _set_meta(self, values: dict[str, typing.Any]) -> None"))
      .def_prop_ro(
          "path",
          [](Pipeline& self) -> std::optional<std::filesystem::path> {
            if (!self.source()) return std::nullopt;
            return self.source()->folder;
          },
          "The folder that holds this pipeline; None once it was trained further.");
}

void bind_use(LanguageClass& language) {
  language.def("__call__", annotate_text, nb::arg("text"), "Annotates a text, without the GIL.")
      .def("__call__", annotate_doc, nb::arg("text"), nb::rv_policy::reference,
           "Annotates a document in place, and returns it.")
      .def("make_doc", make_doc, nb::arg("text"), "The tokens of a text, without annotation.")
      .def("evaluate", evaluate, nb::arg("examples"), nb::kw_only(), nb::arg("n_threads") = 1,
           nb::sig(
               "def evaluate(self, examples: collections.abc.Iterable[Example], *, n_threads: int "
               "= 1) -> dict[str, typing.Any]"),
           "Predicts, compares with the references and gives the scores. The examples stay as they "
           "are.")
      .def("score", score, nb::arg("examples"),
           nb::sig("def score(self, examples: collections.abc.Iterable[Example]) -> dict[str, "
                   "typing.Any]"),
           "The scores of examples whose predicted documents are annotated already.")
      .def("_save_copy", &Pipeline::save_copy, nb::arg("path"),
           "As to_disk, for a folder that goes away: `path` stays as it is.")
      .def("to_disk", &Pipeline::to_disk, nb::arg("path"),
           "Writes the pipeline's folder in one step; spaCy opens it too.")
      .def("__reduce__", reduce, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__copy__", [](nb::handle self) { return nb::borrow(self); });
}

void bind_training_of(LanguageClass& language) {
  language
      .def("initialize", initialize, nb::arg("get_examples") = nb::none(),
           nb::sig("def initialize(self, get_examples: collections.abc.Iterable[Example] | "
                   "collections.abc.Callable[[], collections.abc.Iterable[Example]] | None = None) "
                   "-> Optimizer"),
           "Gives the components labels, shapes and fresh parameters, as [initialize] says.")
      .def(
          "update", update, nb::arg("examples"), nb::kw_only(), nb::arg("drop") = 0.0,
          nb::arg("sgd") = nb::none(), nb::arg("losses") = nb::none(), nb::arg("exclude") = Names(),
          nb::arg("annotates") = Names(), nb::arg("n_threads") = 1,
          nb::sig(
              "def update(self, examples: collections.abc.Iterable[Example], *, drop: float = 0.0, "
              "sgd: Optimizer | None = None, losses: dict[str, float] | None = None, exclude: "
              "collections.abc.Sequence[str] = (), annotates: collections.abc.Sequence[str] = (), "
              "n_threads: int = 1) -> dict[str, float]"),
          "One update; the losses are added to `losses`, which is returned.");
}

}  // namespace

void bind_language(nb::module_& module) {
  nb::class_<Optimizer>(module, "Optimizer", "Steps of training and the state between them.");
  nb::class_<Pipe>(module, "Pipe", "A component of a pipeline, which it keeps alive.")
      .def_ro("name", &Pipe::name)
      .def_prop_ro("labels",
                   [](const Pipe& self) {
                     return self.use([](const Component& one) { return Names(one.labels()); });
                   })
      .def_prop_ro("is_trainable",
                   [](const Pipe& self) {
                     return self.use([](const Component& one) { return one.is_trainable(); });
                   })
      .def("add_label", add_label, nb::arg("label"), "False where the label is known already.");
  LanguageClass language(
      module, "Language",
      "A pipeline. It may be used from many threads at once; training waits until no "
      "other thread uses it.");
  bind_facts(language);
  bind_use(language);
  bind_pipe(module, language);
  bind_training_of(language);
}

}  // namespace weft::python
