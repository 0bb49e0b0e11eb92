#include "framework/text/morph_features.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

}  // namespace

MorphFeatures MorphFeatures::parse(std::string_view feats) {
  MorphFeatures features;
  if (feats.empty() || feats == kNoFeatures) return features;
  for (const std::string& part : split(feats, '|')) {
    if (std::count(part.begin(), part.end(), '=') != 1) {
      throw Error(ErrorKind::data,
                  fmt::format("the features \"{}\" do not parse: \"{}\" is not one Field=Value; "
                              "write them as in \"Case=Nom|Number=Sing\", none as \"_\"",
                              printable_brief(feats), printable_brief(part)));
    }
    const std::size_t equals = part.find('=');
    features.set(part.substr(0, equals), std::string_view(part).substr(equals + 1));
  }
  return features;
}

void MorphFeatures::set(std::string field, std::string_view values) {
  std::vector<std::string> sorted = split(values, ',');
  std::sort(sorted.begin(), sorted.end());
  values_[std::move(field)] = fmt::format("{}", fmt::join(sorted, ","));
}

void MorphFeatures::update(const MorphFeatures& other) {
  for (const auto& [field, values] : other.values_) values_[field] = values;
}

std::vector<std::string> MorphFeatures::parts() const {
  std::vector<std::string> parts;
  parts.reserve(values_.size());
  for (const auto& [field, values] : values_) parts.push_back(field + "=" + values);
  std::sort(parts.begin(), parts.end());
  return parts;
}

std::string MorphFeatures::str() const {
  return empty() ? std::string(kNoFeatures) : fmt::format("{}", fmt::join(parts(), "|"));
}

std::string normalised_features(std::string_view feats) {
  return MorphFeatures::parse(feats).str();
}

MorphFeatures morph_of(const Doc& doc, int token) {
  return MorphFeatures::parse(morph_text(doc, token));
}

std::string_view morph_text(const Doc& doc, int token) {
  const std::string_view text = doc.string(doc.value(Attr::morph, token));
  return text == kNoFeatures ? std::string_view() : text;
}

}  // namespace weft
