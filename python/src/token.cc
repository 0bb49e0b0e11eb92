// Token: all that is stored of a token, under spaCy's names.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "text.h"
#include "views.h"

#include "framework/text/morph_features.h"
#include "framework/text/part_of_speech.h"

namespace weft::python {
namespace {

struct Named {
  const char* name;
  Attr attr;
};
constexpr Named kColumns[] = {{"tag", Attr::tag},           {"pos", Attr::pos},
                              {"lemma", Attr::lemma},       {"dep", Attr::dep},
                              {"ent_type", Attr::ent_type}, {"ent_kb_id", Attr::ent_kb_id},
                              {"ent_id", Attr::ent_id}};
constexpr Named kFlags[] = {
    {"is_alpha", Attr::is_alpha},           {"is_ascii", Attr::is_ascii},
    {"is_digit", Attr::is_digit},           {"is_lower", Attr::is_lower},
    {"is_punct", Attr::is_punct},           {"is_space", Attr::is_space},
    {"is_title", Attr::is_title},           {"is_upper", Attr::is_upper},
    {"like_url", Attr::like_url},           {"like_num", Attr::like_num},
    {"like_email", Attr::like_email},       {"is_stop", Attr::is_stop},
    {"is_bracket", Attr::is_bracket},       {"is_quote", Attr::is_quote},
    {"is_left_punct", Attr::is_left_punct}, {"is_right_punct", Attr::is_right_punct},
    {"is_currency", Attr::is_currency}};

using TokenClass = nb::class_<TokenView>;

void set_value(Doc& doc, Attr attr, int i, StringId value) {
  const auto column = doc.column(attr);
  std::vector<StringId> ids(column.begin(), column.end());
  ids.resize(static_cast<std::size_t>(doc.size()), 0);
  ids[static_cast<std::size_t>(i)] = value;
  doc.set_column(attr, std::move(ids));
}

// As in spaCy: the features of a token are written by a function.
void set_morph(const TokenView& self, const std::string& features) {
  const Doc& doc = self.holder();
  set_value(*self.doc, Attr::morph, self.i,
            doc.vocab()->strings().add(normalised_features(features)));
}

void set_head(const TokenView& self, const TokenView& head) {
  const Doc& doc = self.holder();
  if (head.doc != self.doc) throw nb::value_error("the head is a token of the same document");
  std::vector<std::int32_t> heads(doc.heads().begin(), doc.heads().end());
  heads.resize(static_cast<std::size_t>(doc.size()), 0);
  heads[static_cast<std::size_t>(self.i)] = head.i - self.i;
  self.doc->set_heads(std::move(heads));
}

void set_sent_start(const TokenView& self, std::optional<bool> start) {
  const auto known = self.holder().sent_starts();
  std::vector<std::int8_t> starts(known.begin(), known.end());
  starts[static_cast<std::size_t>(self.i)] = start ? (*start ? 1 : -1) : 0;
  self.doc->set_sent_starts(std::move(starts));
}

nb::str text_of(const TokenView& token) {
  return str_of(token.holder().word(token.i));
}

// Entities are written by `doc.ents`.
bool can_be_written(Attr attr) {
  return attr == Attr::tag || attr == Attr::pos || attr == Attr::lemma || attr == Attr::dep;
}

// Each as a text, `tag_`, and as an id, `tag`.
void bind_columns(TokenClass& token) {
  for (const auto& [name, attr] : kColumns) {
    const auto id = [attr = attr](const TokenView& self) {
      return self.holder().value(attr, self.i);
    };
    const auto text = [attr = attr](const TokenView& self) {
      return string_of(self.holder(), self.doc->value(attr, self.i));
    };
    const std::string name_of_text = std::string(name) + "_";
    if (!can_be_written(attr)) {
      token.def_prop_ro(name, id).def_prop_ro(name_of_text.c_str(), text);
      continue;
    }
    const auto write = [attr = attr](const TokenView& self, StringId value) {
      if (attr == Attr::pos) check_part_of_speech(self.doc->string(value));
      set_value(*self.doc, attr, self.i, value);
    };
    token.def_prop_rw(name, id, [write](const TokenView& self, nb::int_ value) {
      write(self, label_of(self.holder(), value));
    });
    token.def_prop_rw(name_of_text.c_str(), text, [write](const TokenView& self, nb::str value) {
      write(self, label_of(self.holder(), value));
    });
  }
  for (const auto& [name, attr] : kFlags) {
    token.def_prop_ro(name, [attr = attr](const TokenView& self) {
      return self.holder().has_flag(self.i, attr);
    });
  }
}

void bind_word(TokenClass& token) {
  token.def_prop_ro("text", text_of)
      .def_prop_ro("orth_", text_of)
      .def_prop_ro("orth",
                   [](const TokenView& self) { return self.holder().attr_ids(Attr::orth)[self.i]; })
      .def_prop_ro("norm_",
                   [](const TokenView& self) { return str_of(self.holder().norm(self.i)); })
      .def_prop_ro("lower",
                   [](const TokenView& self) {
                     return self.doc->vocab()->lexeme(self.holder().word(self.i)).lower;
                   })
      .def_prop_ro("lower_",
                   [](const TokenView& self) { return nb::str(text_of(self).attr("lower")()); })
      .def_prop_ro(
          "shape_",
          [](const TokenView& self) { return str_of(shape_of(self.holder().word(self.i))); })
      .def_prop_ro(
          "prefix_",
          [](const TokenView& self) { return str_of(prefix_of(self.holder().word(self.i))); })
      .def_prop_ro(
          "suffix_",
          [](const TokenView& self) { return str_of(suffix_of(self.holder().word(self.i))); })
      .def_prop_ro(
          "whitespace_",
          [](const TokenView& self) { return str_of(self.holder().space(self.i) ? " " : ""); },
          "The space that follows, or an empty text.")
      .def_prop_ro("text_with_ws", [](const TokenView& self) {
        return str_of(std::string(self.holder().word(self.i)) +
                      (self.holder().space(self.i) ? " " : ""));
      });
}

void bind_annotation(TokenClass& token) {
  token
      .def_prop_ro(
          "morph", [](const TokenView& self) { return str_of(morph_text(self.holder(), self.i)); },
          "The features as CoNLL-U writes them, \"Case=Nom|Number=Sing\".")
      .def("set_morph", set_morph, nb::arg("features"))
      .def_prop_rw(
          "head",
          [](const TokenView& self) {
            const auto heads = self.holder().heads();
            const bool bare = heads.empty() || self.holder().value(Attr::dep, self.i) == 0;
            const int step = bare ? 0 : heads[static_cast<std::size_t>(self.i)];
            return TokenView{self.doc, self.i + step};
          },
          set_head,
          "The token that this one depends on; a root and a token without a label of its parse are "
          "their own.")
      .def_prop_ro(
          "ent_iob",
          [](const TokenView& self) { return static_cast<int>(self.holder().ent_iob(self.i)); })
      .def_prop_ro(
          "ent_iob_",
          [](const TokenView& self) {
            constexpr const char* kMarks[] = {"", "I", "O", "B"};
            return nb::str(kMarks[static_cast<std::size_t>(self.holder().ent_iob(self.i))]);
          },
          "\"B\", \"I\", \"O\", or an empty text where nothing is annotated.")
      .def_prop_rw(
          "is_sent_start",
          [](const TokenView& self) -> std::optional<bool> {
            const auto start = self.holder().sent_starts()[static_cast<std::size_t>(self.i)];
            return start == 0 ? std::nullopt : std::optional(start > 0);
          },
          set_sent_start, nb::arg("start").none(), "True, False, or None where it is not known.");
}

}  // namespace

void bind_token(nb::module_& module) {
  TokenClass token(module, "Token", "A token of a document. It keeps the document alive.");
  token.def_ro("i", &TokenView::i, "Its number in the document.")
      .def_prop_ro("doc", [](const TokenView& self) { return self.doc; })
      .def_prop_ro(
          "idx",
          [](const TokenView& self) { return self.holder().span_chars(self.i, self.i + 1).first; },
          "Where it begins in the text, in code points.")
      .def("__len__",
           [](const TokenView& self) {
             const auto [start, end] = self.holder().span_chars(self.i, self.i + 1);
             return end - start;
           })
      .def("__str__", text_of)
      .def("__repr__", text_of)
      .def("__hash__", [](const TokenView& self) {
        return std::hash<const void*>()(self.doc.get()) ^ static_cast<std::size_t>(self.i);
      });
  bind_word(token);
  bind_columns(token);
  bind_annotation(token);
  bind_token_tree(token);
  bind_token_order(token);
}

}  // namespace weft::python
