// The parts of the spaCy component that have to be fast: documents on tokens that are given, and
// their annotation as plain objects, with one array for spaCy's from_array.
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "pipeline.h"
#include "text.h"
#include "views.h"

#include "framework/pipeline/worker_pool.h"
#include "framework/text/copy_annotation.h"
#include "framework/text/string_store.h"

namespace weft::python {
namespace {

using TokenRows = nb::ndarray<const StringId, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// spaCy's tokens come as ids, whose texts are asked for once: an object of Python for every token
// would take as long as the annotation. Only under the GIL.
class SpacyWords {
 public:
  explicit SpacyWords(std::shared_ptr<Vocab> vocab) : vocab_(std::move(vocab)) {}

  // Documents of `tokens`, for each token its ORTH, SPACY and NORM. `text_of` gives the text of an
  // id.
  nb::list docs(const nb::list& tokens, const nb::callable& text_of) {
    nb::list docs;
    for (const nb::handle rows : tokens) docs.append(doc(nb::cast<TokenRows>(rows), text_of));
    return docs;
  }

 private:
  static constexpr std::size_t kMostTexts = std::size_t{1} << 17;

  // Norms that do not follow from the words become strings of the document.
  Doc doc(const TokenRows& rows, const nb::callable& text_of) {
    std::shared_ptr<StringTable> norms;
    TokenTableBuilder builder;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
      const StringId orth = rows(i, 0), norm = rows(i, 2);
      const std::string& word = text(orth, text_of);
      const Lexeme lexeme = vocab_->lexeme(word, orth);
      builder.append(word, lexeme, rows(i, 1) != 0, norm);
      if (norm == lexeme.norm) continue;
      if (norms == nullptr) norms = std::make_shared<StringTable>();
      norms->add(text(norm, text_of));
    }
    Doc doc(vocab_, builder.finish());
    if (norms != nullptr) doc.set_strings(std::move(norms));
    return doc;
  }

  // Good until the next call.
  const std::string& text(StringId id, const nb::callable& text_of) {
    if (const auto known = texts_.find(id); known != texts_.end()) return known->second;
    const nb::object answer = text_of(id);
    if (texts_.size() >= kMostTexts) texts_.clear();
    return texts_.insert_or_assign(id, std::string(utf8_of(answer))).first->second;
  }

  std::shared_ptr<Vocab> vocab_;
  std::unordered_map<StringId, std::string> texts_;
};

// HEAD goes without SENT_START: spaCy derives that from it and takes no array with both.
std::vector<Attr> annotated_columns(const Doc& doc) {
  std::vector<Attr> attrs;
  for (const Attr attr : kAnnotationColumns) {
    if (attr != Attr::ent_type && !doc.column(attr).empty()) attrs.push_back(attr);
  }
  if (!doc.ent_iobs().empty()) attrs.insert(attrs.end(), {Attr::ent_iob, Attr::ent_type});
  if (!doc.heads().empty()) {
    attrs.push_back(Attr::head);
  } else if (doc.size() > 1 && doc.has_sents()) {
    attrs.push_back(Attr::sent_start);
  }
  return attrs;
}

bool holds_ids(Attr attr) {
  return attr != Attr::ent_iob && attr != Attr::head && attr != Attr::sent_start;
}

// Numbers of the attributes, rows with a column for each, texts of the ids in them.
struct Columns {
  nb::list numbers, texts;
  nb::object rows = nb::none();
};

// An array takes a microsecond, so documents without columns get none.
Columns columns_of(const Doc& doc) {
  Columns columns;
  const std::vector<Attr> attrs = annotated_columns(doc);
  if (attrs.empty()) return columns;
  const auto size = static_cast<std::size_t>(doc.size());
  auto rows = std::make_unique<std::vector<StringId>>(size * attrs.size());
  std::set<StringId> known = {0};
  for (std::size_t k = 0; k < attrs.size(); ++k) {
    columns.numbers.append(static_cast<std::uint32_t>(attrs[k]));
    const std::vector<StringId> values = doc.attr_values(attrs[k]);
    for (std::size_t i = 0; i < size; ++i) {
      (*rows)[i * attrs.size() + k] = values[i];
      if (holds_ids(attrs[k]) && known.insert(values[i]).second) {
        columns.texts.append(str_of(doc.string(values[i])));
      }
    }
  }
  auto* kept = rows.release();
  const nb::capsule owner(
      kept, [](void* vector) noexcept { delete static_cast<std::vector<StringId>*>(vector); });
  columns.rows =
      nb::cast(nb::ndarray<nb::numpy, StringId>(kept->data(), {size, attrs.size()}, owner));
  return columns;
}

// (start, end, label, kb_id, id) of the spans of each group.
nb::dict groups_of(const Doc& doc) {
  nb::dict groups;
  for (const auto& [key, group] : doc.span_groups()) {
    nb::list spans;
    for (const Span& span : group.spans) {
      spans.append(nb::make_tuple(span.start, span.end, string_of(doc, span.label),
                                  string_of(doc, span.kb_id), string_of(doc, span.id)));
    }
    groups[str_of(key)] = spans;
  }
  return groups;
}

nb::tuple annotation_of(const Doc& doc) {
  const Columns columns = columns_of(doc);
  return nb::make_tuple(columns.numbers, columns.rows, columns.texts, cats_dict(doc),
                        groups_of(doc));
}

// In place. The documents are the component's own, so that nobody else looks at them meanwhile.
void annotate_docs(const Pipeline& pipeline, const nb::list& given, int threads) {
  std::vector<Doc*> docs;
  for (const nb::handle doc : given) docs.push_back(&nb::cast<Doc&>(doc));
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  pipeline.use([&](const Language& nlp) {
    WorkerPool pool(checked_threads(threads));
    nlp.annotate(docs, pool);
  });
}

}  // namespace

void bind_spacy_tokens(nb::module_& module) {
  nb::class_<SpacyWords>(module, "_SpacyWords")
      .def(nb::init<std::shared_ptr<Vocab>>(), nb::arg("vocab"))
      .def("docs", &SpacyWords::docs, nb::arg("tokens"), nb::arg("text_of"),
           nb::sig("def docs(self, tokens: list[typing.Any], text_of: "
                   "collections.abc.Callable[[int], str]) -> list[Doc]"));
  module.def("_annotate", annotate_docs, nb::arg("nlp"), nb::arg("docs"), nb::arg("n_threads"),
             nb::sig("def _annotate(nlp: Language, docs: list[Doc], n_threads: int) -> None"));
  module.def("_annotation_of", annotation_of, nb::arg("doc"),
             nb::sig("def _annotation_of(doc: Doc) -> tuple[list[int], typing.Any, list[str], "
                     "dict[str, float], dict[str, list[tuple[int, int, str, str, str]]]]"));
}

}  // namespace weft::python
