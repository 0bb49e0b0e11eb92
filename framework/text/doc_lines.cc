#include "framework/text/doc_lines.h"

#include <algorithm>
#include <variant>

#include "framework/text/biluo.h"

namespace weft {
namespace {

Node ents_of(const Doc& doc) {
  List ents;
  for (const Span& span : doc.ents()) {
    Object ent;
    ent.set("start", span.start);
    ent.set("end", span.end);
    const TokenTable& tokens = *doc.tokens();
    const auto first = static_cast<std::size_t>(span.start);
    const auto last = static_cast<std::size_t>(span.end - 1);
    ent.set("start_char", static_cast<std::int64_t>(tokens.char_start(first)));
    ent.set("end_char", static_cast<std::int64_t>(tokens.char_end(last)));
    ent.set("label", std::string(doc.string(span.label)));
    ents.emplace_back(std::move(ent));
  }
  return ents;
}

Node cats_of(const Doc& doc) {
  Object cats;
  for (const auto& category : doc.cats()) {
    cats.set(category.label, std::visit([](auto value) { return Node(value); }, category.value));
  }
  return cats;
}

}  // namespace

Node doc_to_json(const Doc& doc) {
  List tokens;
  List spaces;
  for (int i = 0; i < doc.size(); ++i) {
    tokens.emplace_back(std::string(doc.word(i)));
    spaces.emplace_back(doc.space(i));
  }
  Object object;
  object.set("text", std::string(doc.text()));
  object.set("tokens", std::move(tokens));
  object.set("spaces", std::move(spaces));
  object.set("ents", ents_of(doc));
  object.set("cats", cats_of(doc));
  return object;
}

std::string doc_to_conll(const Doc& doc) {
  const std::vector<std::string> tags = iob_strings(doc);
  std::string text;
  for (int i = 0; i < doc.size(); ++i) {
    const bool starts =
        i > 0 && !doc.sent_starts().empty() && doc.sent_starts()[static_cast<std::size_t>(i)] == 1;
    if (starts) text += '\n';
    std::string word(doc.word(i));
    std::replace_if(
        word.begin(), word.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    text += word + '\t' + tags[static_cast<std::size_t>(i)] + '\n';
  }
  return text + '\n';
}

}  // namespace weft
