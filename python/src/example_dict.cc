#include "example_dict.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "text.h"
#include "views.h"

#include "framework/text/biluo.h"
#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "framework/text/part_of_speech.h"
#include "framework/text/printable.h"
#include "framework/text/spacing.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

using Words = std::vector<std::string>;

struct Column {
  const char* key;
  Attr attr;
};
constexpr Column kTexts[] = {
    {"tags", Attr::tag}, {"pos", Attr::pos}, {"lemmas", Attr::lemma}, {"deps", Attr::dep}};

// The values of spaCy's keys, whether they stand alone, under "token_annotation" or under
// "doc_annotation", where columns have the names of attributes.
nb::dict flattened(const nb::dict& values) {
  nb::dict flat;
  for (const auto [key, value] : values) {
    const bool is_text = PyUnicode_Check(key.ptr()) != 0;
    const std::string_view name = is_text ? utf8_of(key) : "";
    if (name == "token_annotation" || name == "doc_annotation") {
      if (!nb::isinstance<nb::dict>(value)) {
        throw nb::type_error((std::string(name) + " is a dict").c_str());
      }
      flat.update(nb::borrow<nb::dict>(value));
    } else if (!value.is_none()) {
      flat[key] = value;
    }
  }
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"ORTH", "words"},   {"SPACY", "spaces"}, {"TAG", "tags"},   {"POS", "pos"},
      {"LEMMA", "lemmas"}, {"DEP", "deps"},     {"HEAD", "heads"}, {"SENT_START", "sent_starts"},
      {"MORPH", "morphs"}, {"ner", "entities"}};
  for (const auto& [from, to] : kNames) {
    if (!flat.contains(from)) continue;
    flat[to] = flat[from];
    nb::del(flat[from]);
  }
  return flat;
}

// A place in the text, in characters.
std::size_t offset_of(nb::handle value) {
  const Py_ssize_t offset = index_of(value);
  if (offset < 0) throw nb::value_error("offsets in characters are numbers from 0 on");
  return static_cast<std::size_t>(offset);
}

nb::object value_of(const nb::dict& values, const char* key) {
  return values.contains(key) ? nb::object(values[key]) : nb::object(nb::none());
}

std::vector<nb::object> per_token(nb::handle values, const char* key, const Doc& doc) {
  std::vector<nb::object> list;
  for (const nb::handle value : values) list.push_back(nb::borrow<nb::object>(value));
  if (list.size() != static_cast<std::size_t>(doc.size())) {
    throw nb::value_error(
        (std::string(key) + " has another number of values than there are words").c_str());
  }
  return list;
}

Doc words_of(const Doc& predicted, const nb::dict& values) {
  const nb::object given = value_of(values, "words");
  if (given.is_none()) {
    Doc doc(predicted.vocab(), predicted.tokens());
    doc.set_strings(predicted.strings());
    doc.set_unknown_spaces(predicted.has_unknown_spaces());
    return doc;
  }
  const Words words = texts_in(given);
  const nb::object spaces = value_of(values, "spaces");
  const nb::object text = value_of(values, "text");
  std::vector<bool> flags;
  if (!spaces.is_none()) {
    flags = spaces_in(spaces, words.size());
  } else if (!text.is_none()) {
    flags = spaces_of(utf8_of(text), words);
  }
  return doc_of_words(predicted.vocab(), words, flags);
}

void set_texts(Doc& doc, const nb::dict& values) {
  for (const auto& [key, attr] : kTexts) {
    const nb::object given = value_of(values, key);
    if (given.is_none()) continue;
    std::vector<StringId> ids;
    for (const nb::object& text : per_token(given, key, doc)) {
      const std::string_view name = text.is_none() ? std::string_view() : utf8_of(text);
      if (attr == Attr::pos) check_part_of_speech(name);
      ids.push_back(doc.vocab()->strings().add(name));
    }
    doc.set_column(attr, std::move(ids));
  }
}

// None says nothing; a dict, as spaCy's Morphology takes it, has a text for each feature.
nb::object features_text(const nb::object& feats) {
  if (feats.is_none()) return nb::str("");
  if (!nb::isinstance<nb::dict>(feats)) return feats;
  std::string text;
  for (const auto [name, value] : nb::borrow<nb::dict>(feats)) {
    text += (text.empty() ? "" : "|") + std::string(utf8_of(name)) + "=";
    text += utf8_of(value);
  }
  return str_of(text);
}

void set_morphs(Doc& doc, const nb::dict& values) {
  const nb::object given = value_of(values, "morphs");
  if (given.is_none()) return;
  std::vector<StringId> ids;
  for (const nb::object& feats : per_token(given, "morphs", doc)) {
    const nb::object text = features_text(feats);
    ids.push_back(doc.vocab()->strings().add(normalised_features(utf8_of(text))));
  }
  doc.set_column(Attr::morph, std::move(ids));
}

bool has_label(std::span<const StringId> deps) {
  return std::any_of(deps.begin(), deps.end(), [](StringId dep) { return dep != 0; });
}

// Heads say where sentences begin; else "sent_starts" does.
void set_tree(Doc& doc, const nb::dict& values) {
  const nb::object heads = value_of(values, "heads");
  const nb::object starts = value_of(values, "sent_starts");
  if (!heads.is_none()) {
    std::vector<std::int32_t> relative;
    for (const nb::object& head : per_token(heads, "heads", doc)) {
      const auto own = static_cast<std::int64_t>(relative.size());
      const std::int64_t distance = head.is_none() ? 0 : nb::cast<std::int32_t>(head) - own;
      // One that is cut off lies outside of the document, too.
      relative.push_back(static_cast<std::int32_t>(
          std::max<std::int64_t>(distance, std::numeric_limits<std::int32_t>::min())));
    }
    doc.set_heads(relative);
    const auto deps = doc.column(Attr::dep);
    if (has_label(deps)) doc.set_sent_starts(sent_starts_of_heads(relative, deps));
  } else if (!starts.is_none()) {
    std::vector<std::int8_t> marks;
    for (const nb::object& start : per_token(starts, "sent_starts", doc)) {
      const int mark = start.is_none()                  ? 0
                       : start.is(nb::handle(Py_True))  ? 1
                       : start.is(nb::handle(Py_False)) ? -1
                                                        : nb::cast<int>(start);
      marks.push_back(static_cast<std::int8_t>(mark == 0 ? 0 : mark == 1 ? 1 : -1));
    }
    doc.set_sent_starts(std::move(marks));
  }
}

// Where an entity lies beyond the end of the text, the tokens that it touches.
Span tokens_from(const Doc& doc, std::size_t start) {
  int first = doc.size();
  while (first > 0 && doc.span_chars(first - 1, first).second > start) --first;
  return {first, doc.size()};
}

// Annotation that contradicts itself is refused, as in spaCy; entities without a label say nothing.
void check_overlaps(const std::vector<CharEnt>& ents) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const CharEnt& ent : ents) {
    if (!ent.label.empty() && ent.start < ent.end) places.emplace_back(ent.start, ent.end);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].first >= places[i - 1].second) continue;
    throw nb::value_error(("the entities at characters " + std::to_string(places[i - 1].first) +
                           " and " + std::to_string(places[i].first) + " overlap")
                              .c_str());
  }
}

// As a warning of Python, which the user's filters show, hide or make an error of. A corpus may be
// full of them: further ones of the process are not told.
void warn_of(const Misaligned& fault) {
  constexpr int kMost = 100;
  static std::atomic<int> told = 0;
  const int number = ++told;
  if (number > kMost) return;
  std::string message = fmt::format("{} at characters {} to {}, \"{}\", {}: it is left out",
                                    printable_brief(fault.ent.label), fault.ent.start,
                                    fault.ent.end, printable(fault.text), fault.reason);
  if (number == kMost) message += "; further ones are not told";
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw nb::python_error();
}

// Offsets that are no tokens leave the tokens that they touch without annotation, as in spaCy.
void set_entities(Doc& doc, const nb::dict& values) {
  const nb::object given = value_of(values, "entities");
  if (given.is_none()) return;
  const nb::list ents(given);
  if (ents.size() == 0) return doc.set_ents({});
  const nb::object first = ents[0];
  if (nb::isinstance<nb::str>(first) || first.is_none()) {
    Words tags;
    for (const nb::handle tag : ents) tags.emplace_back(tag.is_none() ? "-" : utf8_of(tag));
    return set_ents_from_tags(doc, tags);
  }
  const std::vector<CharEnt> places = char_ents_of(ents);
  check_overlaps(places);
  std::vector<Span> cut;
  set_ents_from_chars(doc, places, AlignmentPolicy::drop, {}, [&](const Misaligned& fault) {
    if (fault.fault == EntFault::past_end) cut.push_back(tokens_from(doc, fault.ent.start));
    warn_of(fault);
  });
  doc.set_ents({}, EntsDefault::unmodified, {}, cut);
}

// {(start, end): {"Q42": 1.0}}: the entity with these characters gets the id that is certain.
void set_links(Doc& doc, const nb::dict& values) {
  const nb::object given = value_of(values, "links");
  if (given.is_none()) return;
  std::vector<Span> ents = doc.ents();
  for (const auto [place, ids] : nb::cast<nb::dict>(given)) {
    const nb::tuple chars(nb::borrow<nb::object>(place));
    if (chars.size() != 2) throw nb::value_error("a link is {(start, end): {id: probability}}");
    const auto [start, end] = doc.char_span(offset_of(chars[0]), offset_of(chars[1]));
    if (start < 0) throw nb::value_error("a link does not fall on token boundaries");
    for (const auto [id, probability] : nb::cast<nb::dict>(ids)) {
      if (nb::cast<double>(probability) != 1.0) continue;
      for (Span& ent : ents) {
        if (ent.start != start || ent.end != end) continue;
        ent.kb_id = doc.vocab()->strings().add(utf8_of(id));
      }
    }
  }
  doc.set_ents(ents, EntsDefault::unmodified);
}

void set_cats(Doc& doc, const nb::dict& values) {
  const nb::object given = value_of(values, "cats");
  if (given.is_none()) return;
  for (const auto [label, value] : nb::cast<nb::dict>(given)) {
    doc.set_cat(std::string(utf8_of(label)), nb::cast<double>(value));
  }
}

void set_groups(Doc& doc, const nb::dict& values) {
  const nb::object given = value_of(values, "spans");
  if (given.is_none()) return;
  for (const auto [key, spans] : nb::cast<nb::dict>(given)) {
    const std::string name(utf8_of(key));
    SpanGroup group{name, "", {}};
    for (const CharEnt& span : char_ents_of(spans, 2)) {
      const auto [start, end] = doc.char_span(span.start, span.end);
      if (start < 0) {
        throw Error(ErrorKind::data, "the span " + std::to_string(span.start) + " to " +
                                         std::to_string(span.end) + " of '" + name +
                                         "' does not fall on token boundaries");
      }
      StringStore& strings = doc.vocab()->strings();
      group.spans.push_back({start, end, strings.add(span.label), strings.add(span.kb_id)});
    }
    doc.set_span_group(name, std::move(group));
  }
}

void check_keys(const nb::dict& values) {
  constexpr std::string_view kKnown[] = {
      "words",  "spaces", "tags",     "pos",  "lemmas", "deps",  "heads", "sent_starts", "text",
      "morphs", "ids",    "entities", "cats", "spans",  "links", "raw",   "brackets"};
  for (const auto [key, value] : values) {
    if (PyUnicode_Check(key.ptr()) == 0) throw nb::key_error(nb::repr(key).c_str());
    const std::string_view name = utf8_of(key);
    if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) continue;
    throw nb::key_error(std::string(name).c_str());
  }
}

}  // namespace

std::vector<CharEnt> char_ents_of(nb::handle ents, std::size_t fewest) {
  std::vector<CharEnt> list;
  for (const nb::handle ent : ents) {
    const nb::tuple parts(nb::borrow<nb::object>(ent));
    if (parts.size() < fewest || parts.size() > 4) {
      throw nb::value_error("an entity is (start, end, label) with offsets in characters");
    }
    CharEnt made{offset_of(parts[0]), offset_of(parts[1]), ""};
    if (parts.size() > 2 && !parts[2].is_none()) made.label = utf8_of(parts[2]);
    if (parts.size() > 3) made.kb_id = utf8_of(parts[3]);
    list.push_back(std::move(made));
  }
  return list;
}

Example example_from_dict(const Doc& predicted, const nb::dict& given) {
  const nb::dict values = flattened(given);
  check_keys(values);
  Doc reference = words_of(predicted, values);
  set_texts(reference, values);
  set_morphs(reference, values);
  set_tree(reference, values);
  set_entities(reference, values);
  set_links(reference, values);
  set_cats(reference, values);
  set_groups(reference, values);
  return Example(predicted, std::move(reference));
}

}  // namespace weft::python
