// Documents as one record batch of Arrow: how millions of them leave without an object for each.
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "arrow_column.h"
#include "bind.h"
#include "gil.h"

#include "framework/text/doc.h"

namespace weft::python {
namespace {

// {start, end, label} each; offsets count code points, as Python's texts do.
class Spans {
 public:
  void add(const Doc& doc, const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      const auto [start, end] = doc.span_chars(span.start, span.end);
      starts_.add(static_cast<std::int64_t>(start));
      ends_.add(static_cast<std::int64_t>(end));
      labels_.add(doc.string(span.label));
    }
    lists_.end_list(static_cast<std::int64_t>(spans.size()));
  }
  ArrowColumnPtr finish(std::string name) {
    return lists_.finish(std::move(name), {starts_.finish("start", "l"), ends_.finish("end", "l"),
                                           labels_.finish("label")});
  }

 private:
  NumberColumn<std::int64_t> starts_, ends_;
  LabelColumn labels_;
  ListOffsets lists_;
};

class Tokens {
 public:
  void add(const Doc& doc) {
    for (int i = 0; i < doc.size(); ++i) {
      const auto [start, end] = doc.span_chars(i, i + 1);
      starts_.add(static_cast<std::int64_t>(start));
      ends_.add(static_cast<std::int64_t>(end));
    }
    lists_.end_list(doc.size());
  }
  ArrowColumnPtr finish(std::string name) {
    return lists_.finish(std::move(name), {starts_.finish("start", "l"), ends_.finish("end", "l")});
  }

 private:
  NumberColumn<std::int64_t> starts_, ends_;
  ListOffsets lists_;
};

class Categories {
 public:
  void add(const Doc& doc) {
    for (const TextCategory& cat : doc.cats()) {
      labels_.add(cat.label);
      scores_.add(std::visit([](auto value) { return static_cast<double>(value); }, cat.value));
    }
    lists_.end_list(static_cast<std::int64_t>(doc.cats().size()));
  }
  ArrowColumnPtr finish(std::string name) {
    return lists_.finish(std::move(name), {labels_.finish("label"), scores_.finish("score", "g")});
  }

 private:
  LabelColumn labels_;
  NumberColumn<double> scores_;
  ListOffsets lists_;
};

struct ArrowBatch {
  ArrowColumnPtr columns;
};

ArrowBatch to_arrow(nb::handle given) {
  std::vector<Doc> docs;  // copies share the tokens
  for (const nb::handle doc : given) docs.push_back(nb::cast<const Doc&>(doc));
  const ReleasedGil release;
  TextColumn texts;
  Tokens tokens;
  Spans ents;
  Categories cats;
  for (const Doc& doc : docs) {
    texts.add(doc.text());
    tokens.add(doc);
    ents.add(doc, doc.ents());
    cats.add(doc);
  }
  return {struct_column(
      "", static_cast<std::int64_t>(docs.size()),
      {texts.finish("text"), tokens.finish("tokens"), ents.finish("ents"), cats.finish("cats")})};
}

// A capsule that releases what nobody took out of it.
template <class Struct>
nb::object capsule_of(std::unique_ptr<Struct> exported, const char* name) {
  const nb::object capsule = nb::steal(PyCapsule_New(exported.get(), name, [](PyObject* object) {
    auto* kept = static_cast<Struct*>(PyCapsule_GetPointer(object, PyCapsule_GetName(object)));
    if (kept->release != nullptr) kept->release(kept);
    delete kept;
  }));
  if (!capsule.is_valid()) throw nb::python_error();
  exported.release();
  return capsule;
}

nb::object schema_of(const ArrowBatch& batch) {
  auto schema = std::make_unique<ArrowSchema>();
  export_schema(batch.columns, *schema);
  return capsule_of(std::move(schema), "arrow_schema");
}

nb::tuple array_of(const ArrowBatch& batch, nb::handle) {
  auto array = std::make_unique<ArrowArray>();
  export_array(batch.columns, *array);
  return nb::make_tuple(schema_of(batch), capsule_of(std::move(array), "arrow_array"));
}

}  // namespace

void bind_doc_arrow(nb::module_& module) {
  nb::class_<ArrowBatch>(module, "ArrowBatch",
                         "Documents as a record batch of Arrow: text, tokens and ents with their "
                         "places in characters, cats. polars, pyarrow, pandas and DuckDB take it: "
                         "pyarrow.record_batch(batch).")
      .def("__len__", [](const ArrowBatch& self) { return self.columns->length; })
      .def("__arrow_c_schema__", schema_of, nb::sig("def __arrow_c_schema__(self) -> typing.Any"))
      .def("__arrow_c_array__", array_of, nb::arg("requested_schema") = nb::none(),
           nb::sig("def __arrow_c_array__(self, requested_schema: typing.Any = None) -> "
                   "tuple[typing.Any, typing.Any]"),
           "Arrow's C data interface: the columns are handed over, not copied.");
  module.def("to_arrow", to_arrow, nb::arg("docs"),
             nb::sig("def to_arrow(docs: collections.abc.Iterable[Doc]) -> ArrowBatch"),
             "The texts, tokens, entities and categories of documents as one record batch of "
             "Arrow.");
}

}  // namespace weft::python
