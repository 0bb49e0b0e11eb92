#include "framework/tagging/morph_labels.h"

#include <utility>

#include <fmt/format.h>

#include "framework/tagging/refusal.h"
#include "framework/text/part_of_speech.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"

namespace weft {

namespace {

constexpr const char* kPos = "POS";

// The label of a token of a document, its features as they are.
std::string label_of(const Doc& doc, StringId pos, StringId morph) {
  return morph_label(doc.string(pos), MorphFeatures::parse(doc.string(morph)));
}

}  // namespace

std::string morph_label(std::string_view pos, MorphFeatures features) {
  if (!pos.empty()) features.set(kPos, pos);
  return features.str();
}

bool MorphLabels::contains(std::string_view label) const {
  return names_.find(string_id(label)).has_value();
}

bool MorphLabels::add(std::string_view label, std::string_view morph, StringId pos,
                      StringStore& strings) {
  MorphFeatures features = MorphFeatures::parse(morph);
  if (!names_.add(label, strings)) return false;
  const auto number = static_cast<std::int32_t>(names_.size() - 1);
  const StringId id = strings.add(features.str());
  // Columns of documents have "_" or nothing for a token without features; both find the class.
  if (pos != 0 || !features.empty()) classes_.try_emplace({pos, id}, number);
  if (features.empty()) classes_.try_emplace({pos, pos == 0 ? id : 0}, number);
  analyses_.push_back({pos, id, std::move(features)});
  return true;
}

bool MorphLabels::add(std::string_view label, StringStore& strings) {
  const MorphFeatures all = MorphFeatures::parse(label);
  MorphFeatures features;
  StringId pos = 0;
  for (const auto& [field, values] : all.values()) {
    if (field == kPos) {
      check_part_of_speech(values);
      pos = strings.add(values);
    } else {
      features.set(field, values);
    }
  }
  return add(all.str(), features.empty() ? "" : features.str(), pos, strings);
}

void MorphLabels::add_all_of(const Example& example, StringStore& strings) {
  const Doc& doc = example.reference();
  for (int i = 0; i < doc.size(); ++i) {
    const StringId pos = doc.value(Attr::pos, i), morph = doc.value(Attr::morph, i);
    if ((pos == 0 && morph == 0) || classes_.contains({pos, morph})) continue;
    try {
      check_part_of_speech(doc.string(pos));
      add(label_of(doc, pos, morph), morph_text(doc, i), pos, strings);
    } catch (const Error& error) {
      refuse_token(example, doc, i, error.message());
    }
  }
}

void MorphLabels::append_gold(const Example& example, std::vector<GoldClass>& gold) const {
  const Doc& doc = example.reference();
  for (int i = 0; i < example.size(); ++i) {
    const auto value_of = [&](Attr attr) {
      return example.aligned(i, [&](int token) { return doc.value(attr, token); });
    };
    const auto pos = value_of(Attr::pos), morph = value_of(Attr::morph);
    if (!pos || !morph || (*pos == 0 && *morph == 0)) {
      gold.push_back(GoldClass::missing());
      continue;
    }
    if (const auto known = classes_.find({*pos, *morph}); known != classes_.end()) {
      gold.push_back(GoldClass::is(known->second));
      continue;
    }
    try {
      const auto number = names_.find(string_id(label_of(doc, *pos, *morph)));
      gold.push_back(number ? GoldClass::is(*number) : GoldClass::missing());
    } catch (const Error& error) {
      refuse_token(example, example.predicted(), i, error.message());
    }
  }
}

void MorphLabels::add_table(const Node& tables, std::string_view morphs, std::string_view pos,
                            const std::string& source, StringStore& strings) {
  const auto table = [&](std::string_view key) -> const Object& {
    const Node* value = tables.is_object() ? tables.as_object().find(key) : nullptr;
    if (value != nullptr && value->is_object()) return value->as_object();
    throw Error(ErrorKind::data, fmt::format("{}: no table \"{}\" of labels", source, key));
  };
  const Object& numbers = table(pos);
  for (const auto& [label, morph] : table(morphs)) {
    const Node* number = numbers.find(label);
    const auto* id = number == nullptr ? nullptr : std::get_if<std::int64_t>(&number->value());
    if (!morph.is_string() || id == nullptr || *id < 0 || !std::in_range<StringId>(*id) ||
        !symbol_name(static_cast<StringId>(*id))) {
      throw Error(ErrorKind::data,
                  fmt::format("{}: the label \"{}\" has no text under \"{}\" and no number of a "
                              "part of speech under \"{}\"",
                              source, label, morphs, pos));
    }
    try {
      add(label, morph.as_string(), static_cast<StringId>(*id), strings);
    } catch (const Error& error) {
      throw Error(ErrorKind::data, fmt::format("{}: {}", source, error.message()));
    }
  }
}

Object MorphLabels::to_object(std::string_view morphs, std::string_view pos) const {
  Object features, numbers;
  for (std::int64_t i = 0; i < names_.size(); ++i) {
    const MorphFeatures& found = analysis(i).features;
    features.set(names_.name(i), found.empty() ? std::string() : found.str());
    numbers.set(names_.name(i), static_cast<std::int64_t>(analysis(i).pos));
  }
  Object both;
  both.set(morphs, std::move(features));
  both.set(pos, std::move(numbers));
  return both;
}

}  // namespace weft
