#include "framework/matching/attribute_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/read_predicate.h"
#include "framework/text/morph_features.h"
#include "framework/text/own_norms.h"
#include "framework/text/part_of_speech.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array kTexts = {Attr::tag, Attr::pos,      Attr::morph,     Attr::lemma, Attr::norm,
                               Attr::dep, Attr::ent_type, Attr::ent_kb_id, Attr::ent_id};
// With the largest value that each may have.
constexpr std::array kNumbers = {std::pair(Attr::spacy, 1), std::pair(Attr::sent_start, 1),
                                 std::pair(Attr::ent_iob, 3), std::pair(Attr::head, INT32_MAX)};

bool is_text(Attr attr) {
  return std::find(kTexts.begin(), kTexts.end(), attr) != kTexts.end();
}

[[noreturn]] void refuse_rule(const std::string& message) {
  throw Error(ErrorKind::data, message);
}

// The value of an attribute that is a number; nothing for attributes that are none.
std::optional<StringId> number_for(Attr attr, const Node& value, const std::string& place) {
  for (const auto& [numbered, most] : kNumbers) {
    if (attr != numbered) continue;
    std::optional<StringId> number = value.is_bool() ? value.as_bool() : id_of(value);
    if (attr == Attr::ent_iob && value.is_string()) number = iob_number(value.as_string());
    if (number && *number <= static_cast<StringId>(most)) return number;
    refuse_rule(fmt::format("{}: takes {}", place,
                            attr == Attr::ent_iob ? R"("", "I", "O", "B" or a number from 0 to 3)"
                            : most == 1           ? "true or false"
                                        : "the number of tokens from here to the head, from 0"));
  }
  return std::nullopt;
}

// Columns of a document that change only where something is set.
class ChangedColumns {
 public:
  explicit ChangedColumns(Doc& doc) : doc_(doc) {}

  void set(Attr attr, int token, StringId value) {
    const auto at = static_cast<std::size_t>(token);
    switch (attr) {
      case Attr::norm:
        norms_.emplace_back(token, value);
        return;
      case Attr::spacy:
        spaces_.emplace_back(token, value != 0);
        return;
      case Attr::sent_start:
        begun(sent_starts_, doc_.sent_starts())[at] = static_cast<std::int8_t>(value);
        return;
      case Attr::ent_iob:
        begun(ent_iobs_, doc_.ent_iobs())[at] = static_cast<Iob>(value);
        return;
      case Attr::head:
        begun(heads_, doc_.heads())[at] = static_cast<std::int32_t>(value);
        return;
      default:
        begun(columns_[attr], doc_.column(attr))[at] = value;
    }
  }

  void store() {
    for (auto& [attr, column] : columns_) doc_.set_column(attr, std::move(column));
    if (!sent_starts_.empty()) doc_.set_sent_starts(std::move(sent_starts_));
    if (!heads_.empty()) doc_.set_heads(std::move(heads_));
    if (!ent_iobs_.empty()) {
      const auto types = doc_.column(Attr::ent_type);
      doc_.set_ent_columns(std::move(ent_iobs_), {types.begin(), types.end()});
    }
    set_norms(doc_, norms_);
    set_spaces(doc_, spaces_);
  }

 private:
  // The column as the document has it, or one of zeros, the first time that it is asked for.
  template <class T>
  std::vector<T>& begun(std::vector<T>& column, std::span<const T> known) const {
    if (column.empty()) {
      column.assign(known.begin(), known.end());
      column.resize(static_cast<std::size_t>(doc_.size()), T());
    }
    return column;
  }

  Doc& doc_;
  std::map<Attr, std::vector<StringId>> columns_;
  std::vector<std::int8_t> sent_starts_;
  std::vector<std::int32_t> heads_;
  std::vector<Iob> ent_iobs_;
  std::vector<std::pair<int, StringId>> norms_;
  std::vector<std::pair<int, bool>> spaces_;
};

}  // namespace

AttributeRules::AttributeRules(StringStore& strings, bool validate)
    : strings_(&strings), validate_(validate), matcher_(validate) {}

void AttributeRules::clear() {
  rules_.clear();
  settings_.clear();
  matcher_ = Matcher(validate_);
}

void AttributeRules::add(AttributeRule rule) {
  const std::string place = fmt::format("rule {}", rules_.size() + 1);
  std::vector<Setting> settings = settings_of(rule, place);
  matcher_.add(place, rule.patterns);
  settings_.push_back(std::move(settings));
  rules_.push_back(std::move(rule));
}

std::vector<AttributeRules::Setting> AttributeRules::settings_of(const AttributeRule& rule,
                                                                 const std::string& place) const {
  std::vector<Setting> settings;
  for (const auto& [key, value] : rule.attrs) {
    const std::string here = fmt::format("{}, {}", place, printable_brief(key));
    const Attr attr = attr_of(key).value_or(Attr::orth);
    const auto number = number_for(attr, value, here);
    if (!number && !is_text(attr)) {
      refuse_rule(here +
                  ": an attribute ruler sets TAG, POS, MORPH, LEMMA, NORM, DEP, ENT_TYPE, "
                  "ENT_KB_ID, ENT_ID, ENT_IOB, SENT_START, SPACY and HEAD");
    }
    if (const auto id = number ? number : id_of(value)) {
      if (!number && !strings_->find(*id)) {
        refuse_rule(fmt::format("{}: no text is known for the number {}", here, *id));
      }
      settings.push_back({attr, *id});
      continue;
    }
    if (!value.is_string()) {
      refuse_rule(
          fmt::format("{}: the value is {}, and not a string", here,
                      value.is_integer() ? "below 0 or above 2^64 - 1" : value.type_name()));
    }
    const std::string& text = value.as_string();
    if (attr == Attr::pos && !is_part_of_speech(text)) {
      refuse_rule(here + ": " + no_part_of_speech(text));
    }
    settings.push_back(
        {attr, strings_->add(attr == Attr::morph ? normalised_features(text) : text)});
  }
  return settings;
}

int AttributeRules::token_of(const TokenMatch& match) const {
  const std::int64_t index = rules_[match.key].index;
  const std::int64_t length = match.end - match.start;
  const std::int64_t place = index < 0 ? index + length : index;
  if (place >= 0 && place < length) return match.start + static_cast<int>(place);
  throw Error(ErrorKind::data, fmt::format("rule {} sets token {} of what it matches, which has "
                                           "{} tokens: change its index",
                                           match.key + 1, index, length));
}

void AttributeRules::apply(Doc& doc) const {
  std::vector<TokenMatch> matches = matcher_.find(doc, {.allow_missing = true});
  const auto order = [](const TokenMatch& match) {
    return std::tuple(match.key, match.start, match.end);
  };
  std::sort(matches.begin(), matches.end(),
            [&](const TokenMatch& a, const TokenMatch& b) { return order(a) < order(b); });
  ChangedColumns columns(doc);
  for (const TokenMatch& match : matches) {
    const int token = token_of(match);
    for (const Setting& setting : settings_[match.key]) {
      columns.set(setting.attr, token, setting.value);
    }
  }
  columns.store();
}

}  // namespace weft
