#include "framework/text/biluo.h"

#include "registry/base/error.h"

namespace weft {
namespace {

// The letters that may stand before a label.
std::string_view letters_of(TagScheme scheme) {
  switch (scheme) {
    case TagScheme::iob1:
    case TagScheme::iob2:
      return "BI";
    default:
      return "BILU";
  }
}

std::string_view name_of(TagScheme scheme) {
  switch (scheme) {
    case TagScheme::iob1:
      return "IOB1";
    case TagScheme::iob2:
      return "IOB2";
    default:
      return "BILUO";
  }
}

// Tools that write IOBES have other letters for the last token of an entity and for the only one.
std::string repair_of(std::string_view tag, TagScheme scheme) {
  if (letters_of(scheme).find('U') == std::string_view::npos) return "";
  if (tag.starts_with("S-")) return "; S- of IOBES is U- here";
  if (tag.starts_with("E-")) return "; E- of IOBES is L- here";
  return "";
}

// Follows the tags of a sentence with one bit of state, whether an entity is open. Lenient schemes
// begin an entity where a tag cannot go on; the strict ones report the tag.
class Decoder {
 public:
  Decoder(TagScheme scheme, DecodedTags& decoded) : scheme_(scheme), decoded_(decoded) {}

  // The mistake in this tag, or "".
  std::string take(int token, std::string_view tag) {
    if (tag.empty() || tag == "-") {
      decoded_.missing.push_back(token);
      return close();
    }
    if (tag == "O") return close();
    if (tag.size() < 3 || tag[1] != '-' || letters_of(scheme_).find(tag[0]) == tag.npos) {
      return "is no tag of the " + std::string(name_of(scheme_)) + " scheme" +
             repair_of(tag, scheme_);
    }
    const std::string_view label = tag.substr(2);
    switch (tag[0]) {
      case 'B':
        return begin(token, label);
      case 'I':
        return inside(token, label);
      case 'L':
        return last(token, label);
      default:
        return unit(token, label);
    }
  }

  // The end of the sentence, or a tag that no entity can go on over.
  std::string close() {
    if (open_ && scheme_ == TagScheme::biluo) return "comes before the open entity's L";
    open_ = false;
    return "";
  }

 private:
  bool continues(std::string_view label) const {
    return open_ && decoded_.spans.back().label == label;
  }

  std::string begin(int token, std::string_view label) {
    std::string fault = close();
    if (!fault.empty()) return fault;
    decoded_.spans.push_back({token, token + 1, std::string(label)});
    open_ = true;
    return "";
  }

  std::string inside(int token, std::string_view label) {
    if (continues(label)) {
      decoded_.spans.back().end = token + 1;
      return "";
    }
    if (scheme_ == TagScheme::any || scheme_ == TagScheme::iob1) return begin(token, label);
    return "continues an entity that was not begun";
  }

  std::string last(int token, std::string_view label) {
    if (!continues(label)) return "ends an entity that was not begun";
    decoded_.spans.back().end = token + 1;
    open_ = false;
    return "";
  }

  std::string unit(int token, std::string_view label) {
    std::string fault = begin(token, label);
    open_ = false;
    return fault;
  }

  TagScheme scheme_;
  DecodedTags& decoded_;
  bool open_ = false;
};

std::string tag_text(const Doc& doc, const GoldTag& tag) {
  if (tag.move == Move::missing) return "-";
  if (tag.move == Move::out) return "O";
  const auto letter = static_cast<std::size_t>(tag.move) - static_cast<std::size_t>(Move::begin);
  return std::string(1, "BILU"[letter]) + "-" + std::string(doc.string(tag.label));
}

}  // namespace

std::optional<TagFault> decode_tags(std::span<const std::string> tags, TagScheme scheme,
                                    DecodedTags& decoded) {
  Decoder decoder(scheme, decoded);
  const int size = static_cast<int>(tags.size());
  for (int i = 0; i < size; ++i) {
    const std::string fault = decoder.take(i, tags[i]);
    if (!fault.empty()) return TagFault{i, "the tag \"" + tags[i] + "\" " + fault};
  }
  if (!decoder.close().empty()) {
    return TagFault{size - 1, "the tag \"" + tags.back() + "\" leaves an entity without its L"};
  }
  return std::nullopt;
}

std::vector<GoldTag> biluo_tags(const Doc& doc) {
  std::vector<GoldTag> tags(doc.size());
  for (int i = 0; i < doc.size(); ++i) {
    if (doc.ent_iob(i) != Iob::missing) tags[i].move = Move::out;
  }
  for (const Span& ent : doc.ents()) {
    for (int i = ent.start; i < ent.end; ++i) tags[i] = {Move::in, ent.label};
    tags[ent.start].move = Move::begin;
    tags[ent.end - 1].move = ent.end - ent.start == 1 ? Move::unit : Move::last;
  }
  return tags;
}

std::vector<std::string> biluo_strings(const Doc& doc) {
  std::vector<std::string> texts;
  for (const GoldTag& tag : biluo_tags(doc)) texts.push_back(tag_text(doc, tag));
  return texts;
}

void set_ents_from_tags(Doc& doc, std::span<const std::string> tags, TagScheme scheme) {
  if (static_cast<int>(tags.size()) != doc.size()) {
    throw Error(ErrorKind::data, std::to_string(tags.size()) + " tags for " +
                                     std::to_string(doc.size()) + " tokens");
  }
  DecodedTags decoded;
  if (const auto fault = decode_tags(tags, scheme, decoded)) {
    throw Error(ErrorKind::data, "token " + std::to_string(fault->token) + ": " + fault->message);
  }
  std::vector<Span> ents;
  for (const TagSpan& span : decoded.spans) {
    ents.push_back({span.start, span.end, doc.vocab()->strings().add(span.label)});
  }
  std::vector<Span> missing;
  for (const int token : decoded.missing) missing.push_back({token, token + 1});
  doc.set_ents(ents, EntsDefault::outside, {}, missing);
}

}  // namespace weft
