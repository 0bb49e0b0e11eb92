// Doc: spaCy's names and meanings, offsets in code points.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "text.h"
#include "views.h"

#include "framework/text/doc_json.h"
#include "framework/text/noun_chunks.h"
#include "framework/text/spacing.h"

namespace weft::python {
namespace {

using DocClass = nb::class_<Doc>;

void make(Doc* self, const std::shared_ptr<Vocab>& vocab, nb::object words, nb::object spaces) {
  if (PyUnicode_Check(words.ptr()) != 0 || PyUnicode_Check(spaces.ptr()) != 0) {
    throw nb::type_error("words and spaces are lists, not texts");
  }
  const std::vector<std::string> texts =
      words.is_none() ? std::vector<std::string>() : texts_in(words);
  std::vector<bool> flags;
  if (!spaces.is_none()) flags = spaces_in(spaces, texts.size());
  new (self) Doc(doc_of_words(vocab, texts, flags));
}

nb::object item(const DocPtr& self, nb::handle key) {
  if (nb::isinstance<nb::slice>(key)) {
    return nb::cast(SpanView{self, span_of(nb::borrow<nb::slice>(key), self->size())});
  }
  return nb::cast(TokenView{self, place_of(index_of(key), self->size())});
}

nb::tuple ents_of(const DocPtr& self) {
  nb::list ents;
  for (const Span& span : self->ents()) ents.append(SpanView{self, span});
  return nb::tuple(ents);
}

void set_ents(Doc& self, const nb::iterable& ents) {
  std::vector<Span> spans;
  for (const nb::handle ent : ents) {
    if (!nb::isinstance<SpanView>(ent)) throw nb::type_error("entities are spans of the document");
    spans.push_back(span_in(self, nb::cast<const SpanView&>(ent)));
  }
  self.set_ents(spans);
}

nb::object sents_of(const DocPtr& self) {
  if (!self->has_sents()) throw nb::value_error("no component has set where sentences begin");
  nb::list sents;
  for (const auto& [start, end] : self->sents()) sents.append(SpanView{self, {start, end}});
  return nb::iter(sents);
}

bool has_values(const Doc& self, Attr attr) {
  const std::vector<StringId> values = self.attr_values(attr);
  return std::any_of(values.begin(), values.end(), [](StringId value) { return value != 0; });
}

nb::object noun_chunks_of(const DocPtr& self) {
  if (!self->empty() && !has_values(*self, Attr::dep)) {
    throw nb::value_error("noun_chunks follow from a parse, and this document has none");
  }
  self->vocab()->strings().add("NP");  // the label of each
  nb::list chunks;
  for (const Span& chunk : noun_chunks(*self)) chunks.append(SpanView{self, chunk});
  return nb::iter(chunks);
}

Attr annotation_named(nb::handle name) {
  if (PyUnicode_Check(name.ptr()) == 0) return attr_numbered(id_of(name));
  const std::string_view text = utf8_of(name);
  // spaCy's name of the property.
  if (text == "IS_SENT_START" || text == "IS_SENT_END") return Attr::sent_start;
  if (const auto attr = attr_of(text)) return *attr;
  throw nb::value_error((std::string(text) + " is no attribute of tokens").c_str());
}

// As in spaCy: a document without tokens has everything, one of a token its sentence; the first
// token's start says nothing, and heads count where they have labels.
bool has_annotation(const Doc& self, nb::handle name, bool complete) {
  Attr attr = annotation_named(name);
  if (self.empty()) return true;
  if (attr == Attr::head) attr = Attr::dep;
  std::vector<StringId> values = self.attr_values(attr);
  if (attr == Attr::sent_start) values.erase(values.begin());
  if (attr == Attr::sent_start && values.empty()) return true;
  const auto is_set = [](StringId value) { return value != 0; };
  return complete ? std::all_of(values.begin(), values.end(), is_set)
                  : std::any_of(values.begin(), values.end(), is_set);
}

// A dict of what a document holds, whose writes arrive there.
nb::object written_dict(const char* kind, nb::handle self) {
  return nb::module_::import_("weft.views").attr(kind)(self);
}

nb::object cats_of(nb::handle self) {
  return written_dict("Cats", self);
}

CategoryValue category_value(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
  return nb::cast<double>(value);
}

void set_cats(Doc& self, const nb::dict& values) {
  std::vector<TextCategory> cats;
  for (const auto [label, value] : values) {
    cats.push_back({std::string(utf8_of(label)), category_value(value)});
  }
  self.set_cats(std::move(cats));
}

nb::dict spans_dict(const DocPtr& self) {
  nb::dict groups;
  for (const auto& [key, group] : self->span_groups()) {
    nb::list spans;
    for (const Span& span : group.spans) spans.append(SpanView{self, span});
    groups[str_of(key)] = nb::tuple(spans);
  }
  return groups;
}

nb::object spans_of(nb::handle self) {
  return written_dict("SpanGroups", self);
}

void set_spans(Doc& self, const nb::dict& values) {
  SpanGroups groups;
  for (const auto [key, spans] : values) {
    const std::string name(utf8_of(key));
    const SpanGroup* known = self.span_group(name);
    SpanGroup group{name, known == nullptr ? "" : known->attrs, {}};
    for (const nb::handle span : spans) {
      group.spans.push_back(span_in(self, nb::cast<const SpanView&>(span)));
    }
    groups.emplace_back(name, std::move(group));
  }
  self.set_span_groups(std::move(groups));
}

void bind_tokens(DocClass& doc) {
  doc.def("__len__", &Doc::size)
      .def(
          "__iter__", [](const DocPtr& self) { return tokens_of(self, 0, self->size()); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Token]"))
      .def("__getitem__", item, nb::arg("key"), nb::sig("def __getitem__(self, key: int) -> Token"))
      .def("__getitem__", item, nb::arg("key"),
           nb::sig("def __getitem__(self, key: slice) -> Span"));
}

void bind_annotation(DocClass& doc) {
  doc.def_prop_rw(
         "ents", ents_of, set_ents, nb::for_getter(nb::sig("def ents(self) -> tuple[Span, ...]")),
         nb::for_setter(nb::sig("def ents(self, ents: collections.abc.Iterable[Span], /) -> None")),
         "The entities. Assigning spans replaces them; all other tokens are outside.")
      .def_prop_ro("noun_chunks", noun_chunks_of,
                   nb::sig("def noun_chunks(self) -> collections.abc.Iterator[Span]"),
                   "Base noun phrases of a parsed document, in seven languages (docs/parsing.md).")
      .def("has_annotation", has_annotation, nb::arg("attr"), nb::kw_only(),
           nb::arg("require_complete") = false,
           nb::sig("def has_annotation(self, attr: int | str, *, require_complete: bool = False) "
                   "-> bool"),
           "Whether any token, or each, has a value of \"TAG\", \"DEP\", \"ENT_IOB\" and so on.")
      .def_prop_ro("sents", sents_of, nb::sig("def sents(self) -> collections.abc.Iterator[Span]"),
                   "The sentences. Raises ValueError where nothing says where they begin.")
      .def_prop_rw("cats", cats_of, set_cats,
                   nb::for_getter(nb::sig("def cats(self) -> dict[str, float]")),
                   nb::for_setter(nb::sig("def cats(self, cats: dict[str, float], /) -> None")),
                   "Categories and their values. What is written into the dict is the document's.")
      .def("_cats", cats_dict, nb::sig("def _cats(self) -> dict[str, float]"))
      .def_prop_rw(
          "spans", spans_of, set_spans,
          nb::for_getter(nb::sig("def spans(self) -> dict[str, collections.abc.Sequence[Span]]")),
          nb::for_setter(nb::sig(
              "def spans(self, spans: dict[str, collections.abc.Sequence[Span]], /) -> None")),
          "Groups of spans by their keys. What is written into the dict is the document's.")
      .def("_spans", spans_dict,
           nb::sig("def _spans(self) -> dict[str, collections.abc.Sequence[Span]]"))
      .def(
          "to_json",
          [](const Doc& self) {
            return nb::module_::import_("json").attr("loads")(
                str_of(to_json_line(self, DocJson::prediction)));
          },
          nb::sig("def to_json(self) -> dict[str, typing.Any]"),
          "Text, tokens and annotation as `weft apply` prints them.");
}

// A document alone, as the bytes of a .spacy file with nothing else in it.
void bind_bytes(DocClass& doc) {
  doc.def(
         "to_bytes",
         [](nb::handle self) {
           return nb::module_::import_("weft._weft").attr("docs_to_bytes")(nb::make_tuple(self));
         },
         nb::sig("def to_bytes(self) -> bytes"),
         "The document with its annotation, as bytes that spaCy's DocBin reads.")
      .def(
          "from_bytes",
          [](nb::handle self, const nb::bytes& data) {
            if (!nb::cast<const Doc&>(self).empty()) {
              throw nb::value_error("a document is read into one without tokens");
            }
            const nb::object read = nb::module_::import_("weft._weft").attr("docs_from_bytes");
            const nb::object docs = read(data, self.attr("vocab"));
            if (nb::len(docs) != 1) {
              throw nb::value_error("these bytes hold another number of documents than one");
            }
            nb::cast<Doc&>(self) = nb::cast<const Doc&>(docs[0]);
            return nb::borrow(self);
          },
          nb::arg("data"), nb::sig("def from_bytes(self, data: bytes) -> Doc"),
          "Becomes the document of the bytes, and returns itself. Raises ValueError where it has "
          "tokens already.")
      .def(
          "__reduce__",
          [](nb::handle self) {
            const nb::object again = nb::module_::import_("weft.files").attr("doc_again");
            return nb::make_tuple(
                again, nb::make_tuple(self.attr("to_bytes")(), self.attr("vocab").attr("lang")));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

}  // namespace

nb::dict cats_dict(const Doc& doc) {
  nb::dict cats;
  for (const TextCategory& cat : doc.cats()) {
    cats[str_of(cat.label)] = std::visit([](auto value) { return nb::cast(value); }, cat.value);
  }
  return cats;
}

void bind_doc(nb::module_& module) {
  DocClass doc(
      module, "Doc",
      "Tokens and what is said about them. Copies share the tokens; offsets count code points.");
  bind_span(module);
  bind_token(module);
  doc.def("__init__", make, nb::arg("vocab"), nb::arg("words") = nb::none(),
          nb::arg("spaces") = nb::none(),
          nb::sig("def __init__(self, vocab: Vocab, words: collections.abc.Sequence[str] | None = "
                  "None, spaces: collections.abc.Sequence[bool] | None = None) -> None"),
          "From words, and whether a space follows each; without `spaces` that is unknown.")
      .def_prop_ro("vocab",
                   [](const Doc& self) { return std::const_pointer_cast<Vocab>(self.vocab()); })
      .def_prop_ro("text", [](const Doc& self) { return str_of(self.text()); })
      .def_prop_ro("has_unknown_spaces", &Doc::has_unknown_spaces)
      .def(
          "copy", [](const Doc& self) { return Doc(self); }, "The same tokens and annotation.")
      .def("__copy__", [](const Doc& self) { return Doc(self); })
      .def(
          "__deepcopy__", [](const Doc& self, nb::handle) { return Doc(self); }, nb::arg("memo"))
      .def("__str__", [](const Doc& self) { return str_of(self.text()); })
      .def("__repr__", [](const Doc& self) { return str_of(self.text()); })
      .def(
          "to_spacy",
          [](nb::handle self, nb::handle vocab) -> nb::object {
            return nb::module_::import_("weft").attr("to_spacy")(nb::make_tuple(self), vocab)[0];
          },
          nb::arg("vocab") = nb::none(),
          nb::sig("def to_spacy(self, vocab: typing.Any = None) -> typing.Any"),
          "A spaCy Doc with the same annotation; without `vocab` that of a blank pipeline.");
  bind_tokens(doc);
  bind_annotation(doc);
  bind_bytes(doc);
  bind_doc_chars(doc);
  bind_doc_arrays(doc);
  bind_doc_render(doc);
}

}  // namespace weft::python
