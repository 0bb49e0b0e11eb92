#include "framework/matching/pattern_attribute.h"

#include <algorithm>
#include <array>
#include <vector>

#include "registry/base/suggest.h"

namespace weft {
namespace {

struct Named {
  std::string_view name;
  PatternAttribute attribute;
};

constexpr std::array kNamed = {
    Named{"ORTH", {Attr::orth, AttributeKind::text}},
    Named{"TEXT", {Attr::orth, AttributeKind::text}},
    Named{"LOWER", {Attr::lower, AttributeKind::text}},
    Named{"NORM", {Attr::norm, AttributeKind::text}},
    Named{"SHAPE", {Attr::shape, AttributeKind::text}},
    Named{"LEMMA", {Attr::lemma, AttributeKind::text}},
    Named{"TAG", {Attr::tag, AttributeKind::text}},
    Named{"POS", {Attr::pos, AttributeKind::text}},
    Named{"DEP", {Attr::dep, AttributeKind::text}},
    Named{"MORPH", {Attr::morph, AttributeKind::text}},
    Named{"ENT_TYPE", {Attr::ent_type, AttributeKind::text}},
    Named{"ENT_ID", {Attr::ent_id, AttributeKind::text}},
    Named{"ENT_KB_ID", {Attr::ent_kb_id, AttributeKind::text}},
    Named{"LENGTH", {Attr::length, AttributeKind::number}},
    Named{"ENT_IOB", {Attr::ent_iob, AttributeKind::iob}},
    Named{"SPACY", {Attr::spacy, AttributeKind::flag}},
    Named{"SENT_START", {Attr::sent_start, AttributeKind::flag}},
    Named{"IS_SENT_START", {Attr::sent_start, AttributeKind::flag}},
    Named{"IS_ALPHA", {Attr::is_alpha, AttributeKind::flag}},
    Named{"IS_ASCII", {Attr::is_ascii, AttributeKind::flag}},
    Named{"IS_DIGIT", {Attr::is_digit, AttributeKind::flag}},
    Named{"IS_LOWER", {Attr::is_lower, AttributeKind::flag}},
    Named{"IS_UPPER", {Attr::is_upper, AttributeKind::flag}},
    Named{"IS_TITLE", {Attr::is_title, AttributeKind::flag}},
    Named{"IS_PUNCT", {Attr::is_punct, AttributeKind::flag}},
    Named{"IS_SPACE", {Attr::is_space, AttributeKind::flag}},
    Named{"IS_BRACKET", {Attr::is_bracket, AttributeKind::flag}},
    Named{"IS_QUOTE", {Attr::is_quote, AttributeKind::flag}},
    Named{"IS_LEFT_PUNCT", {Attr::is_left_punct, AttributeKind::flag}},
    Named{"IS_RIGHT_PUNCT", {Attr::is_right_punct, AttributeKind::flag}},
    Named{"IS_CURRENCY", {Attr::is_currency, AttributeKind::flag}},
    Named{"IS_STOP", {Attr::is_stop, AttributeKind::flag}},
    Named{"LIKE_NUM", {Attr::like_num, AttributeKind::flag}},
    Named{"LIKE_URL", {Attr::like_url, AttributeKind::flag}},
    Named{"LIKE_EMAIL", {Attr::like_email, AttributeKind::flag}},
};

}  // namespace

std::string upper_name(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::optional<PatternAttribute> pattern_attribute(std::string_view name) {
  const std::string upper = upper_name(name);
  for (const Named& named : kNamed) {
    if (named.name == upper) return named.attribute;
  }
  const auto attr = attr_of(upper);
  if (!attr) return std::nullopt;
  return PatternAttribute{*attr, AttributeKind::other};
}

std::string suggest_attribute(std::string_view name) {
  std::vector<std::string> names;
  for (const Named& named : kNamed) names.emplace_back(named.name);
  const std::string close = suggestion(upper_name(name), names);
  return close.empty() ? "" : "; did you mean " + close + "?";
}

bool is_of_word_form(Attr attr) {
  constexpr Attr of_form[] = {Attr::orth,   Attr::lower,  Attr::shape,
                              Attr::prefix, Attr::suffix, Attr::length};
  return is_word_flag(attr) ||
         std::find(std::begin(of_form), std::end(of_form), attr) != std::end(of_form);
}

}  // namespace weft
