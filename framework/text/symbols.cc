#include "framework/text/symbols.h"

#include <array>
#include <string>
#include <vector>

#include "framework/text/hash.h"
#include "registry/base/letter_case.h"

namespace weft {
namespace {

// In the order of their numbers. The two long runs of numbered names are made by `all_names`.
constexpr std::string_view kBeforeFlags =
    "IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL "
    "LIKE_NUM LIKE_EMAIL IS_STOP IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT "
    "IS_RIGHT_PUNCT IS_CURRENCY";
constexpr std::string_view kAfterFlags =
    "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB "
    "ENT_TYPE HEAD SENT_START SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM "
    "PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE";
constexpr std::string_view kAfterDeprecated =
    "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME "
    "PERCENT MONEY QUANTITY ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux "
    "auxpass cc ccomp complm conj cop csubj csubjpass dep det dobj expl hmod hyph infmod "
    "intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl "
    "parataxis partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl "
    "rcmod root xcomp acl ENT_KB_ID MORPH ENT_ID IDX _";

void append_words(std::string_view words, std::vector<std::string>& names) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    names.emplace_back(words.substr(0, end));
    words = end == std::string_view::npos ? std::string_view() : words.substr(end + 1);
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names = {""};
  append_words(kBeforeFlags, names);
  for (int flag = 19; flag <= 63; ++flag) names.push_back("FLAG" + std::to_string(flag));
  append_words(kAfterFlags, names);
  for (int i = 1; i <= 276; ++i) {
    const std::string digits = std::to_string(i);
    names.push_back("DEPRECATED" + std::string(3 - digits.size(), '0') + digits);
  }
  append_words(kAfterDeprecated, names);
  return names;
}

// Finds a reserved name by the hash that it would have otherwise: an open-addressed table, so that
// hashing an ordinary word costs one more probe.
class SymbolTable {
 public:
  SymbolTable() : names_(all_names()) {
    for (StringId id = 1; id < names_.size(); ++id) {
      const std::uint64_t hash = murmur_hash64(names_[id]);
      std::size_t slot = hash % kSlots;
      while (slots_[slot].id != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = {hash, id};
      filter_[filter_place(hash) / 64] |= std::uint64_t{1} << filter_place(hash) % 64;
    }
  }

  StringId id_of_hash(std::uint64_t hash) const {
    if ((filter_[filter_place(hash) / 64] >> filter_place(hash) % 64 & 1) == 0) return hash;
    for (std::size_t slot = hash % kSlots; slots_[slot].id != 0; slot = (slot + 1) % kSlots) {
      if (slots_[slot].hash == hash) return slots_[slot].id;
    }
    return hash;
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    StringId id = 0;
  };
  static constexpr std::size_t kSlots = 2048;

  // A bit for each hash there is: the few that need the slots are told by a table that stays in the
  // nearest cache.
  static std::size_t filter_place(std::uint64_t hash) { return hash >> 50; }

  std::vector<std::string> names_;
  std::array<Slot, kSlots> slots_;
  std::array<std::uint64_t, (std::size_t{1} << 14) / 64> filter_ = {};
};

const SymbolTable& symbols() {
  static const SymbolTable& table = *new SymbolTable{};
  return table;
}

}  // namespace

std::optional<std::string_view> symbol_name(StringId id) {
  if (id > kSymbolCount) return std::nullopt;
  return symbols().names()[id];
}

StringId string_id(std::string_view text) {
  return text.empty() ? 0 : symbols().id_of_hash(murmur_hash64(text));
}

std::optional<Attr> attr_of(std::string_view name) {
  const StringId id = string_id(upper_case(name));
  const bool flag = id >= 1 && id <= 18 && id != 13;
  const bool column = (id >= 65 && id <= 81 && id != 72) || (id >= 452 && id <= 454);
  if (!flag && !column) return std::nullopt;
  return static_cast<Attr>(id);
}

}  // namespace weft
