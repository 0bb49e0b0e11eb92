// Attributes of all tokens of a document as arrays of numbers, as spaCy's to_array and from_array.
#include <algorithm>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "text.h"
#include "views.h"

#include "framework/text/parse_tree.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

using View = nb::ndarray<nb::numpy, const StringId>;
using Copy = nb::ndarray<nb::numpy, StringId>;
using Given = nb::ndarray<const StringId, nb::device::cpu, nb::c_contig>;

Attr attr_named(nb::handle name) {
  if (!nb::isinstance<nb::str>(name)) return attr_numbered(id_of(name));
  const auto attr = attr_of(utf8_of(name));
  if (!attr) throw nb::key_error(nb::str(name).c_str());
  return *attr;
}

std::vector<Attr> attrs_named(nb::handle names) {
  std::vector<Attr> attrs;
  for (const nb::handle name : names) attrs.push_back(attr_named(name));
  return attrs;
}

bool is_one(nb::handle names) {
  return nb::isinstance<nb::str>(names) || PyIndex_Check(names.ptr()) != 0;  // NumPy's, too
}

bool is_stored(Attr attr) {
  return attr == Attr::orth || attr == Attr::norm || attr == Attr::prefix || attr == Attr::suffix ||
         attr == Attr::shape;
}

// The owner of the numbers lives as long as the array.
template <class Array, class Owner>
nb::object array_of(typename Array::Scalar* numbers, std::initializer_list<std::size_t> shape,
                    Owner* owner) {
  const nb::capsule keeper(owner, [](void* kept) noexcept { delete static_cast<Owner*>(kept); });
  return nb::cast(Array(numbers, shape, keeper));
}

nb::object column(const Doc& doc, Attr attr) {
  const auto size = static_cast<std::size_t>(doc.size());
  if (is_stored(attr)) {
    return array_of<View>(doc.attr_ids(attr).data(), {size},
                          new std::shared_ptr<const TokenTable>(doc.tokens()));
  }
  auto* values = new std::vector<StringId>(doc.attr_values(attr));
  return array_of<Copy>(values->data(), {size}, values);
}

nb::object to_array(const Doc& doc, nb::handle names) {
  need_numpy();
  if (is_one(names)) return column(doc, attr_named(names));
  const std::vector<Attr> attrs = attrs_named(names);
  if (attrs.size() == 1) return column(doc, attrs[0]);
  const auto size = static_cast<std::size_t>(doc.size());
  auto* rows = new std::vector<StringId>(size * attrs.size());
  nb::object array = array_of<Copy>(rows->data(), {size, attrs.size()}, rows);
  for (std::size_t k = 0; k < attrs.size(); ++k) {
    const std::vector<StringId> values = doc.attr_values(attrs[k]);
    for (std::size_t i = 0; i < size; ++i) (*rows)[i * attrs.size() + k] = values[i];
  }
  return array;
}

// Columns are collected first: heads need labels, entity marks need types.
class Columns {
 public:
  explicit Columns(Doc& doc) : doc_(doc) {}

  void set(Attr attr, std::vector<StringId> values) {
    switch (attr) {
      case Attr::head:
        for (const StringId value : values) heads_.push_back(distance_of(value));
        break;
      case Attr::sent_start:
        for (const StringId value : values) starts_.push_back(sign_of(value));
        break;
      case Attr::ent_iob:
        set_iobs(values);
        break;
      case Attr::ent_type:
        types_ = std::move(values);
        break;
      case Attr::dep:
        has_deps_ =
            std::any_of(values.begin(), values.end(), [](StringId dep) { return dep != 0; });
        doc_.set_column(attr, std::move(values));
        break;
      case Attr::lemma:
      case Attr::pos:
      case Attr::tag:
      case Attr::morph:
      case Attr::ent_kb_id:
      case Attr::ent_id:
        doc_.set_column(attr, std::move(values));
        break;
      default:
        check_unchanged(attr, values);
    }
  }

  void finish() {
    if (!heads_.empty() && !starts_.empty()) {
      throw nb::value_error("HEAD says where sentences begin: leave SENT_START out");
    }
    if (!heads_.empty()) set_heads();
    if (!starts_.empty()) doc_.set_sent_starts(std::move(starts_));
    if (!iobs_.empty()) {
      if (types_.empty()) types_ = values_of(Attr::ent_type);
      doc_.set_ent_columns(std::move(iobs_), std::move(types_));
      doc_.repair_ents();
    } else if (!types_.empty()) {
      doc_.set_column(Attr::ent_type, std::move(types_));
    }
  }

 private:
  static std::int8_t sign_of(StringId value) {
    const auto number = static_cast<std::int64_t>(value);
    return static_cast<std::int8_t>((number > 0) - (number < 0));
  }

  // One beyond 32 bits lies outside of every document. An array of 32-bit numbers that was made
  // unsigned has its negative ones in the lower half.
  static std::int32_t distance_of(StringId value) {
    const auto number = static_cast<std::int64_t>(value);
    if (number >> 32 == 0 || number >> 31 == -1) return static_cast<std::int32_t>(value);
    throw nb::value_error("a head lies outside of the document");
  }

  void set_iobs(const std::vector<StringId>& values) {
    for (const StringId value : values) {
      if (value > static_cast<StringId>(Iob::begin)) {
        throw nb::value_error("entity marks are 0 (missing), 1 (I), 2 (O) and 3 (B)");
      }
      iobs_.push_back(static_cast<Iob>(value));
    }
  }

  // Words bring their other attributes along. An array that holds them as they are may be set.
  void check_unchanged(Attr attr, const std::vector<StringId>& values) const {
    if (doc_.attr_values(attr) == values) return;
    const auto name = symbol_name(static_cast<StringId>(attr)).value_or("an unknown attribute");
    throw nb::value_error(
        (std::string(name) + " follows from the words of the document and cannot be set").c_str());
  }

  std::vector<StringId> values_of(Attr attr) const {
    const auto column = doc_.column(attr);
    return {column.begin(), column.end()};
  }

  // Sentences follow from heads that come with labels, as in spaCy.
  void set_heads() {
    doc_.set_heads(heads_);
    if (has_deps_) doc_.set_sent_starts(sent_starts_of_heads(heads_, doc_.column(Attr::dep)));
  }

  Doc& doc_;
  std::vector<std::int32_t> heads_;
  std::vector<std::int8_t> starts_;
  std::vector<Iob> iobs_;
  std::vector<StringId> types_;
  bool has_deps_ = false;
};

Doc& from_array(Doc& doc, nb::handle names, const Given& array) {
  const std::vector<Attr> attrs =
      is_one(names) ? std::vector<Attr>{attr_named(names)} : attrs_named(names);
  const bool fits =
      array.ndim() == 2 ? array.shape(1) == attrs.size() : array.ndim() == 1 && attrs.size() == 1;
  if (!fits || array.shape(0) != static_cast<std::size_t>(doc.size())) {
    throw nb::value_error("the array has a row for each token and a column for each attribute");
  }
  Doc changed = doc;
  Columns columns(changed);
  for (std::size_t k = 0; k < attrs.size(); ++k) {
    std::vector<StringId> values;
    for (std::size_t i = 0; i < array.shape(0); ++i) {
      values.push_back(array.data()[i * attrs.size() + k]);
    }
    columns.set(attrs[k], std::move(values));
  }
  columns.finish();
  doc = std::move(changed);
  return doc;
}

}  // namespace

void bind_doc_arrays(nb::class_<Doc>& doc) {
  doc.def(
         "to_array", to_array, nb::arg("attr_ids"),
         nb::sig("def to_array(self, attr_ids: int | str | collections.abc.Sequence[int | str]) "
                 "-> numpy.typing.NDArray[numpy.uint64]"),
         "Attributes as numbers, (tokens,) of one and (tokens, attributes) of several. ORTH, NORM, "
         "PREFIX, SUFFIX and SHAPE alone are a read-only view of the document; all else is a copy.")
      .def("from_array", from_array, nb::arg("attrs"), nb::arg("array"), nb::rv_policy::reference,
           nb::sig("def from_array(self, attrs: int | str | collections.abc.Sequence[int | str], "
                   "array: numpy.typing.NDArray[numpy.uint64]) -> Doc"),
           "Sets annotation that `to_array` gives, and returns the document; attributes of words "
           "have to be those of the document. Ids have to be known to the vocabulary's strings.");
}

}  // namespace weft::python
