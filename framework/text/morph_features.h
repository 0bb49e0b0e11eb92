// Morphological features of a token: the FEATS strings of CoNLL-U, "Case=Nom|Number=Sing".
//
// A token's analysis is one of three: unset (nobody said anything; Doc::value gives 0), set but
// empty (the token has no features; stored as "_"), or features. docs/tagging.md, spaCy 3.8.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// The stored text of an analysis without features.
inline constexpr std::string_view kNoFeatures = "_";

class WEFT_API MorphFeatures {
 public:
  // "" and "_" give none. Throws Error(data) where a part between two bars does not hold exactly
  // one "=".
  static MorphFeatures parse(std::string_view feats);

  bool empty() const { return values_.empty(); }
  // By field; several values of one field are sorted and joined by commas.
  const std::map<std::string, std::string>& values() const { return values_; }
  // Replaces the values of the field, which are sorted.
  void set(std::string field, std::string_view values);
  // Takes all fields of `other`, in the place of its own of the same name.
  void update(const MorphFeatures& other);
  // "Field=values" each, sorted as whole strings.
  std::vector<std::string> parts() const;
  // The parts joined by bars; "_" where there are none.
  std::string str() const;

  bool operator==(const MorphFeatures&) const = default;

 private:
  std::map<std::string, std::string> values_;
};

// The normal form of a FEATS string; "_" without features. Throws as `parse`.
WEFT_API std::string normalised_features(std::string_view feats);

// Whether a token's analysis was set, be it to no features.
inline bool has_morph(const Doc& doc, int token) {
  return doc.value(Attr::morph, token) != 0;
}
// The features of a token; none where its analysis is empty or unset. Throws as `parse`.
WEFT_API MorphFeatures morph_of(const Doc& doc, int token);
// The analysis as it is shown: "" where it is empty or unset.
WEFT_API std::string_view morph_text(const Doc& doc, int token);

}  // namespace weft
