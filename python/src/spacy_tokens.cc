// The two halves of the spaCy component that have to be fast: a document on tokens that are given,
// and its annotation as one array for spaCy's from_array.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "text.h"

#include "framework/text/copy_annotation.h"
#include "framework/text/string_store.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

// Norms that do not follow from the words become strings of the document.
Doc doc_of_tokens(const std::shared_ptr<Vocab>& vocab, const std::vector<std::string>& words,
                  const std::vector<bool>& spaces, const std::vector<std::string>& norms) {
  if (spaces.size() != words.size() || norms.size() != words.size()) {
    throw Error(ErrorKind::data, "words, spaces and norms have different lengths");
  }
  auto strings = std::make_shared<StringTable>();
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Lexeme lexeme = vocab->lexeme(words[i]);
    const StringId norm = string_id(norms[i]);
    if (norm != lexeme.norm) strings->add(norms[i]);
    builder.append(words[i], lexeme, spaces[i], norm);
  }
  Doc doc(vocab, builder.finish());
  if (strings->size() > 0) doc.set_strings(std::move(strings));
  return doc;
}

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

// (numbers of the attributes, rows, texts of the ids in them)
nb::tuple annotation_of(const Doc& doc) {
  const std::vector<Attr> attrs = annotated_columns(doc);
  const auto size = static_cast<std::size_t>(doc.size());
  auto rows = std::make_unique<std::vector<StringId>>(size * attrs.size());
  nb::list numbers, texts;
  std::set<StringId> known = {0};
  for (std::size_t k = 0; k < attrs.size(); ++k) {
    numbers.append(static_cast<std::uint32_t>(attrs[k]));
    const std::vector<StringId> values = doc.attr_values(attrs[k]);
    for (std::size_t i = 0; i < size; ++i) {
      (*rows)[i * attrs.size() + k] = values[i];
      if (holds_ids(attrs[k]) && known.insert(values[i]).second) {
        texts.append(str_of(doc.string(values[i])));
      }
    }
  }
  auto* kept = rows.release();
  const nb::capsule owner(
      kept, [](void* vector) noexcept { delete static_cast<std::vector<StringId>*>(vector); });
  const nb::ndarray<nb::numpy, StringId> array(kept->data(), {size, attrs.size()}, owner);
  return nb::make_tuple(numbers, array, texts);
}

}  // namespace

void bind_spacy_tokens(nb::module_& module) {
  module.def("_doc_of_tokens", doc_of_tokens, nb::arg("vocab"), nb::arg("words"), nb::arg("spaces"),
             nb::arg("norms"));
  module.def("_annotation_of", annotation_of, nb::arg("doc"),
             nb::sig("def _annotation_of(doc: Doc) -> tuple[list[int], typing.Any, list[str]]"));
}

}  // namespace weft::python
