// Properties of a document's tree: children, subtrees, roots, sentences.
#include <algorithm>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "views.h"

#include "framework/text/merge_tokens.h"

namespace weft::python {
namespace {

int head_of(const Doc& doc, int i) {
  const auto heads = doc.heads();
  return heads.empty() ? i : i + heads[static_cast<std::size_t>(i)];
}

// The tokens [start, end) below `i`, itself not among them.
std::vector<int> children_of(const Doc& doc, int i, int start, int end) {
  std::vector<int> children;
  for (int token = start; token < end; ++token) {
    if (token != i && head_of(doc, token) == i) children.push_back(token);
  }
  return children;
}

// Upwards from a token; ends at a root, and for heads that run in a circle.
std::vector<int> ancestors_of(const Doc& doc, int i) {
  std::vector<int> ancestors;
  for (int token = i; static_cast<int>(ancestors.size()) < doc.size();) {
    const int head = head_of(doc, token);
    if (head == token || head == i) break;
    ancestors.push_back(head);
    token = head;
  }
  return ancestors;
}

nb::object iterator_over(const DocPtr& doc, const std::vector<int>& places) {
  nb::list tokens;
  for (const int place : places) tokens.append(TokenView{doc, place});
  return nb::iter(tokens);
}

// For each token those that hang on it, in order.
std::vector<std::vector<int>> all_children_of(const Doc& doc) {
  std::vector<std::vector<int>> children(static_cast<std::size_t>(doc.size()));
  for (int token = 0; token < doc.size(); ++token) {
    const int head = head_of(doc, token);
    if (head != token) children[static_cast<std::size_t>(head)].push_back(token);
  }
  return children;
}

// As spaCy goes: what hangs on the left, the token, what hangs on the right; where branches cross
// that is not the order of the text. Heads that run in a circle are met once.
std::vector<int> subtree_of(const TokenView& self) {
  const std::vector<std::vector<int>> children = all_children_of(self.holder());
  struct Step {
    int token;
    bool is_below_done;
  };
  std::vector<Step> steps = {{self.i, false}};
  std::vector<bool> met(children.size());
  std::vector<int> places;
  while (!steps.empty()) {
    const auto [token, is_below_done] = steps.back();
    steps.pop_back();
    if (is_below_done) {
      places.push_back(token);
      continue;
    }
    if (met[static_cast<std::size_t>(token)]) continue;
    met[static_cast<std::size_t>(token)] = true;
    const std::vector<int>& below = children[static_cast<std::size_t>(token)];
    // The last step that is noted is the first that is made.
    auto child = below.rbegin();
    for (; child != below.rend() && *child > token; ++child) steps.push_back({*child, false});
    steps.push_back({token, true});
    for (; child != below.rend(); ++child) steps.push_back({*child, false});
  }
  return places;
}

TokenView left_edge(const TokenView& self) {
  return {self.doc, std::ranges::min(subtree_of(self))};
}

TokenView right_edge(const TokenView& self) {
  return {self.doc, std::ranges::max(subtree_of(self))};
}

// The last one for a place behind all tokens, where an empty span can begin.
SpanView sentence_at(const DocPtr& doc, int i) {
  if (!doc->has_sents()) throw nb::value_error("no component has set where sentences begin");
  Span sentence{0, doc->size()};
  for (const auto& [start, end] : doc->sents()) {
    sentence = {start, end};
    if (i < end) break;
  }
  return {doc, sentence};
}

// Of several tokens whose heads lie outside, the one that is nearest to a root, as in spaCy.
TokenView root_of(const SpanView& self) {
  const Span& span = self.span;
  if (span.start == span.end) throw nb::index_error("an empty span has no root");
  return {self.doc, span_root(self.holder(), span.start, span.end)};
}

}  // namespace

void bind_token_tree(nb::class_<TokenView>& token) {
  const auto sig = [](const char* text) { return nb::sig(text); };
  token
      .def_prop_ro(
          "children",
          [](const TokenView& self) {
            const Doc& doc = self.holder();
            return iterator_over(self.doc, children_of(doc, self.i, 0, doc.size()));
          },
          sig("def children(self) -> collections.abc.Iterator[Token]"),
          "The tokens that depend on this one, in order.")
      .def_prop_ro(
          "lefts",
          [](const TokenView& self) {
            return iterator_over(self.doc, children_of(self.holder(), self.i, 0, self.i));
          },
          sig("def lefts(self) -> collections.abc.Iterator[Token]"))
      .def_prop_ro(
          "rights",
          [](const TokenView& self) {
            const Doc& doc = self.holder();
            return iterator_over(self.doc, children_of(doc, self.i, self.i, doc.size()));
          },
          sig("def rights(self) -> collections.abc.Iterator[Token]"))
      .def_prop_ro(
          "ancestors",
          [](const TokenView& self) {
            return iterator_over(self.doc, ancestors_of(self.holder(), self.i));
          },
          sig("def ancestors(self) -> collections.abc.Iterator[Token]"),
          "Its head, the head of that, and so on.")
      .def_prop_ro(
          "subtree",
          [](const TokenView& self) { return iterator_over(self.doc, subtree_of(self)); },
          sig("def subtree(self) -> collections.abc.Iterator[Token]"),
          "This token and all below it, those on its left first.")
      .def_prop_ro("left_edge", left_edge, "The first token of its subtree.")
      .def_prop_ro("right_edge", right_edge, "The last token of its subtree.")
      .def_prop_ro(
          "sent", [](const TokenView& self) { return sentence_at(self.doc, self.i); },
          "The sentence that it stands in.")
      .def(
          "nbor",
          [](const TokenView& self, Py_ssize_t i) {
            const Py_ssize_t size = self.holder().size();
            // Beyond these bounds the sum might overflow.
            const Py_ssize_t place = i < -size || i > size ? -1 : self.i + i;
            if (place < 0) throw nb::index_error("there is no such token");
            return TokenView{self.doc, place_of(place, self.doc->size())};
          },
          nb::arg("i") = 1, "The token `i` places behind it.");
}

void bind_span_tree(nb::class_<SpanView>& span) {
  span.def_prop_ro("root", root_of, "The token that the others of the span hang on.")
      .def_prop_ro(
          "sent", [](const SpanView& self) { return sentence_at(self.doc, self.span.start); },
          "The sentence that it begins in.");
}

}  // namespace weft::python
