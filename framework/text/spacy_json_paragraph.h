// A paragraph of spaCy 2's JSON, which is a document: its tokens, sentences and categories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "framework/text/doc.h"
#include "framework/text/vocab.h"

namespace weft {

// The tokens as columns. `paragraph` outlives this. The constructor and `doc` throw Error(data),
// without a place, for a part that is missing, of another type or there twice.
class SpacyJsonParagraph {
 public:
  explicit SpacyJsonParagraph(const nlohmann::json& paragraph);

  std::size_t size() const { return words_.size(); }  // in tokens
  Doc doc(const std::shared_ptr<const Vocab>& vocab);

 private:
  void take(const nlohmann::json& token);
  std::vector<bool> spaces() const;
  void set_sents(Doc& doc);
  void set_cats(Doc& doc) const;

  const nlohmann::json& paragraph_;
  std::vector<std::string> words_, tags_, pos_, lemmas_, morphs_, deps_, ner_;
  std::vector<bool> spaces_;
  std::vector<std::int32_t> heads_;
  std::vector<std::int8_t> sent_starts_;
  bool any_space_ = false;
  bool any_head_ = false, any_morph_ = false;
};

}  // namespace weft
