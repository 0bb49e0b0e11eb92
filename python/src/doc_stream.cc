// Language.pipe: documents of a stream of texts, in order, as they are asked for.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrow_texts.h"
#include "bind.h"
#include "foreign_strings.h"
#include "pipeline.h"
#include "text.h"

#include "framework/pipeline/worker_pool.h"

namespace weft::python {
namespace {

// Texts that come as documents are annotated as they are, and given back as the same objects.
struct Input {
  std::string text;
  std::optional<Doc> doc;
  nb::object object = nb::object();  // of the document
};

// Documents ahead of the one that is asked for.
std::size_t ahead_of(std::size_t batch_size, int threads) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  return std::min(batch_size, kMost) * static_cast<std::size_t>(std::max(threads, 1));
}

class DocStream {
 public:
  DocStream(nb::object nlp, nb::object source, bool as_tuples, std::size_t batch_size, int threads)
      : nlp_(std::move(nlp)),
        arrow_(as_tuples ? nullptr : ArrowTexts::of(source)),
        source_(arrow_ ? nb::none() : nb::object(nb::iter(source))),
        as_tuples_(as_tuples),
        ahead_(ahead_of(batch_size, threads)),
        pool_(threads) {}

  // As a generator does, it refuses a second call while one reads ahead: that of another thread, or
  // of the iterable itself.
  nb::object next() {
    if (busy_) throw nb::value_error("the documents of this pipe are being read already");
    if (place_ == docs_.size() && !over_) fill_or_end();
    if (docs_.empty()) throw nb::stop_iteration();
    nb::object doc = take(place_);
    if (!as_tuples_) return ++place_, doc;
    return nb::make_tuple(doc, std::move(contexts_[place_++]));
  }

  // For Python's garbage collection: an iterable may hold the stream that reads it.
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(nlp_.ptr());
    Py_VISIT(source_.ptr());
    for (const nb::object& object : objects_) Py_VISIT(object.ptr());
    for (const nb::object& context : contexts_) Py_VISIT(context.ptr());
    return 0;
  }
  // Ends the stream.
  void let_go() {
    over_ = true;
    docs_.clear();
    place_ = 0;
    objects_.clear();
    contexts_.clear();
    source_.reset();
    nlp_.reset();
  }

 private:
  struct Busy {
    explicit Busy(bool& flag) : flag_(flag) { flag_ = true; }
    ~Busy() { flag_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    bool& flag_;
  };

  // Behind an exception nothing comes, as behind that of a generator.
  void fill_or_end() {
    const Busy busy(busy_);
    over_ = true;
    try {
      fill();
      over_ = docs_.empty();
    } catch (...) {
      docs_.clear();
      place_ = 0;
      throw;
    }
  }

  nb::object take(std::size_t place) {
    nb::object given = std::move(objects_[place]);
    if (!given.is_valid()) return nb::cast(std::move(docs_[place]));
    nb::cast<Doc&>(given) = std::move(docs_[place]);
    return given;
  }

  // The next batch. Only the reading of the texts needs Python.
  void fill() {
    place_ = 0;
    docs_.clear();
    objects_.clear();
    contexts_.clear();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    std::vector<Input> inputs;
    if (arrow_) read_column(inputs);
    while (!arrow_ && inputs.size() < ahead_) {
      const nb::object item = nb::steal(PyIter_Next(source_.ptr()));
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      if (!item.is_valid()) break;
      inputs.push_back(read(item));
    }
    if (inputs.empty()) return;
    for (Input& input : inputs) objects_.push_back(std::move(input.object));
    nb::cast<const Pipeline&>(nlp_).use([&](const Language& nlp) { annotate(nlp, inputs); });
  }

  void read_column(std::vector<Input>& inputs) {
    while (inputs.size() < ahead_) {
      std::optional<std::string> text = arrow_->next();
      if (!text) return;
      inputs.push_back({std::move(*text), std::nullopt});
    }
  }

  Input read(nb::handle item) {
    if (!as_tuples_) return read_text(item);
    if (PySequence_Check(item.ptr()) == 0 || nb::len(item) != 2) {
      throw nb::type_error("as_tuples takes pairs of a text and its context");
    }
    contexts_.push_back(item[1]);
    const nb::object text = item[0];
    return read_text(text);
  }

  static Input read_text(nb::handle text) {
    const Doc* doc = nullptr;
    if (nb::try_cast(text, doc) && doc != nullptr) return {"", *doc, nb::borrow(text)};
    return {std::string(utf8_of(text)), std::nullopt};
  }

  void annotate(const Language& nlp, std::vector<Input>& inputs) {
    constexpr std::size_t kTexts = 16;  // of a task
    docs_.assign(inputs.size(), Doc(nlp.vocab()));
    pool_.run((inputs.size() + kTexts - 1) / kTexts, [&](std::size_t task) {
      const std::size_t end = std::min(inputs.size(), (task + 1) * kTexts);
      for (std::size_t i = task * kTexts; i < end; ++i) {
        docs_[i] = inputs[i].doc ? std::move(*inputs[i].doc) : nlp.make_doc(inputs[i].text);
      }
    });
    std::vector<Doc*> docs;
    for (Doc& doc : docs_) docs.push_back(&doc);
    nlp.annotate(docs, pool_);
    for (Doc& doc : docs_) take_strings(doc, *nlp.vocab());
  }

  nb::object nlp_;
  std::unique_ptr<ArrowTexts> arrow_;  // null: an iterator of Python
  nb::object source_;
  bool as_tuples_;
  std::size_t ahead_;
  WorkerPool pool_;
  std::vector<Doc> docs_;
  std::vector<nb::object> objects_;  // for each document; null: a new one
  std::vector<nb::object> contexts_;
  std::size_t place_ = 0;
  bool busy_ = false, over_ = false;  // under the GIL
};

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<DocStream>(self)->visit(visit, arg) : 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<DocStream>(self)->let_go();
  return 0;
}

PyType_Slot kCollected[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear)},
                            {0, nullptr}};

}  // namespace

void bind_pipe(nb::module_& module, nb::class_<Pipeline>& language) {
  nb::class_<DocStream>(module, "_DocStream", nb::type_slots(kCollected),
                        "What Language.pipe gives: an iterator.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> _DocStream"))
      .def("__next__", &DocStream::next, nb::sig("def __next__(self) -> typing.Any"));
  language.def(
      "pipe",
      [](nb::object self, nb::object texts, bool as_tuples, std::optional<std::size_t> size,
         int threads) {
        checked_threads(threads);
        const int usual = nb::cast<const Pipeline&>(self).use([](const Language& nlp) {
          return std::max(1, nlp.settings().batch_size.value_or(1000));
        });
        const std::size_t batch = size.value_or(static_cast<std::size_t>(usual));
        return new DocStream(self, texts, as_tuples, std::max(std::size_t{1}, batch), threads);
      },
      nb::arg("texts"), nb::kw_only(), nb::arg("as_tuples") = false,
      nb::arg("batch_size") = nb::none(), nb::arg("n_threads") = 1,
      nb::sig(
          "def pipe(self, texts: collections.abc.Iterable[typing.Any], *, as_tuples: bool = False, "
          "batch_size: int | None = None, n_threads: int = 1) -> "
          "collections.abc.Iterator[typing.Any]"),
      "Documents of texts (or documents, or of an Arrow column of texts), lazily and in order, "
      "without the GIL; with `as_tuples`, "
      "pairs of a document and its context. n_threads is never part of a result, batch_size in two "
      "cases alone: docs/python.md.");
}

}  // namespace weft::python
