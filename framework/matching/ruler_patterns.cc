#include "framework/matching/ruler_patterns.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

const Node* text_at(const Object& entry, const char* key, const std::string& place) {
  const Node* value = entry.find(key);
  if (value == nullptr || value->is_null()) return nullptr;
  if (value->is_string()) return value;
  throw Error(ErrorKind::data,
              fmt::format("{}: '{}' is {}, and not a string", place, key, value->type_name()));
}

// A key of the matchers for each label and id. The last line is the label's length where a label is
// not all of the key: both may have line ends of their own.
std::string key_of(const std::string& label, const std::string& id) {
  if (id.empty() && label.find('\n') == label.npos) return label;
  return fmt::format("{}\n{}\n{}", label, id, label.size());
}

}  // namespace

RulerPatterns::RulerPatterns(StringStore& strings, const std::string& phrase_attribute,
                             bool validate)
    : strings_(&strings),
      tokens_(validate),
      phrases_(phrase_attribute),
      annotated_(!is_of_word_form(phrases_.attribute())) {}

void RulerPatterns::note(std::vector<Span>& spans, std::size_t keys, const Name& name) {
  if (spans.size() == keys) return;
  spans.push_back({0, 0, strings_->add(name.first), 0, strings_->add(name.second)});
}

void RulerPatterns::add(const Node& entry, const std::string& place, const Phrase& phrase) {
  if (!entry.is_object()) {
    throw Error(ErrorKind::data,
                fmt::format("{}: a pattern is an object with 'label' and 'pattern', and not {}",
                            place, entry.type_name()));
  }
  const Object& object = entry.as_object();
  const Node* label = text_at(object, "label", place);
  const Node* pattern = object.find("pattern");
  if (label == nullptr) throw Error(ErrorKind::data, place + ": there is no 'label'");
  if (pattern == nullptr) throw Error(ErrorKind::data, place + ": there is no 'pattern'");
  const Node* id = text_at(object, "id", place);
  const Name name{label->as_string(), id == nullptr ? "" : id->as_string()};
  try {
    const std::string key = key_of(name.first, name.second);
    if (pattern->is_string()) {
      phrases_.add(key, phrase(pattern->as_string(), annotated_));
      note(phrase_names_, phrases_.keys().size(), name);
    } else if (pattern->is_list()) {
      const std::size_t doubts = tokens_.warnings().size();
      tokens_.add(key, List{*pattern});
      for (std::size_t i = doubts; i < tokens_.warnings().size(); ++i) {
        warnings_.push_back(fmt::format("{}: {}", place, tokens_.warnings()[i]));
      }
      note(token_names_, tokens_.keys().size(), name);
    } else {
      throw Error(ErrorKind::data,
                  fmt::format("'pattern' is {}, and neither a text nor a list of tokens",
                              pattern->type_name()));
    }
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", place, error.what()));
  }
  labels_.insert(name.first);
  lines_ += to_json(entry, JsonText::utf8) + "\n";
}

std::vector<std::string> RulerPatterns::labels() const {
  return {labels_.begin(), labels_.end()};
}

std::vector<Span> RulerPatterns::find(const Doc& doc) const {
  std::vector<Span> found;
  const auto take = [&](int start, int end, Span span) {
    span.start = start;
    span.end = end;
    found.push_back(span);
  };
  for (const TokenMatch& match : tokens_.find(doc)) {
    take(match.start, match.end, token_names_[match.key]);
  }
  for (const PhraseMatch& match : phrases_.find(doc)) {
    take(match.start, match.end, phrase_names_[match.key]);
  }
  const auto rank = [](const Span& span) {
    return std::tuple(span.start, span.end, span.label, span.id);
  };
  std::sort(found.begin(), found.end(),
            [&](const Span& a, const Span& b) { return rank(a) < rank(b); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace weft
