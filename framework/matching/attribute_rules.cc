#include "framework/matching/attribute_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/text/morph_features.h"
#include "framework/text/own_norms.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array kSettable = {Attr::tag,      Attr::pos,       Attr::morph,
                                  Attr::lemma,    Attr::norm,      Attr::dep,
                                  Attr::ent_type, Attr::ent_kb_id, Attr::ent_id};

bool is_settable(Attr attr) {
  return std::find(kSettable.begin(), kSettable.end(), attr) != kSettable.end();
}

// Columns of a document that change only where something is set.
class ChangedColumns {
 public:
  explicit ChangedColumns(Doc& doc) : doc_(doc) {}

  void set(Attr attr, int token, StringId value) {
    if (attr == Attr::norm) {
      norms_.emplace_back(token, value);
      return;
    }
    std::vector<StringId>& column = columns_[attr];
    if (column.empty()) {
      const auto known = doc_.column(attr);
      column.assign(known.begin(), known.end());
      column.resize(static_cast<std::size_t>(doc_.size()), 0);
    }
    column[static_cast<std::size_t>(token)] = value;
  }

  void store() {
    for (auto& [attr, column] : columns_) doc_.set_column(attr, std::move(column));
    set_norms(doc_, norms_);
  }

 private:
  Doc& doc_;
  std::map<Attr, std::vector<StringId>> columns_;
  std::vector<std::pair<int, StringId>> norms_;
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
    const auto attribute = pattern_attribute(key);
    if (!attribute || !is_settable(attribute->attr)) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: an attribute ruler sets TAG, POS, MORPH, LEMMA, NORM, DEP, "
                              "ENT_TYPE, ENT_KB_ID and ENT_ID",
                              here));
    }
    const Attr attr = attribute->attr;
    if (std::holds_alternative<std::int64_t>(value.value())) {
      settings.push_back({attr, static_cast<StringId>(value.as_integer())});
      continue;
    }
    if (!value.is_string()) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: the value is {}, and not a string", here, value.type_name()));
    }
    const std::string& text = value.as_string();
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
