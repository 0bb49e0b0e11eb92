#include "framework/text/conllu_writer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/text/conllu_doc.h"
#include "framework/text/conllu_entities.h"
#include "framework/text/conllu_sentence.h"
#include "framework/text/morph_features.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kBreaks = "\t\n\r";

std::string_view checked(std::string_view text, std::string_view what, int token) {
  if (text.find_first_of(kBreaks) == text.npos) return text;
  throw Error(ErrorKind::data,
              fmt::format("the {} of token {} (\"{}\") has a tab or a line break, which CoNLL-U "
                          "cannot hold",
                          what, token, printable_brief(text)));
}

// White space that the format has no place for.
bool is_left_out(const Doc& doc, int token) {
  return doc.is_space(token) &&
         doc.word(token).find_first_not_of(" \t\n\v\f\r") == std::string::npos;
}

// A column of the token's; "_" where it has none.
std::string_view column_of(const Doc& doc, Attr attr, std::string_view what, int token) {
  const StringId id = doc.value(attr, token);
  return id == 0 ? kConlluUnset : checked(doc.string(id), what, token);
}

bool any_set(const Doc& doc, Attr attr, int start, int end) {
  for (int i = start; i < end; ++i) {
    if (doc.value(attr, i) != 0) return true;
  }
  return false;
}

std::string text_of(const Doc& doc, int start, int end) {
  std::string text(doc.span_text(start, end));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return kBreaks.find(c) != kBreaks.npos; }, ' ');
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The numbers that stand for heads in a sentence. White space, which is not written, hands its own
// head on; each token of it is walked over once.
class HeadNumbers {
 public:
  // `ids`: the numbers of the tokens from `start` on that are the sentence, 0 for white space.
  HeadNumbers(const Doc& doc, int start, std::vector<int> ids)
      : doc_(doc), start_(start), ids_(std::move(ids)), found_(ids_.size(), kUnknown) {}

  // 0 for a root, and in a circle of white space.
  int of(int token) {
    if (doc_.heads().empty()) return 0;
    path_.clear();
    int number = found(token);
    while (number == kUnknown) {
      found(token) = 0;  // met again, it closes a circle
      path_.push_back(token);
      const int head = head_of(token);
      const int id = ids_[static_cast<std::size_t>(head - start_)];
      number = head == token ? 0 : id != 0 ? id : found(head);
      token = head;
    }
    for (const int passed : path_) found(passed) = number;
    return number;
  }

 private:
  static constexpr int kUnknown = -1;

  int& found(int token) { return found_[static_cast<std::size_t>(token - start_)]; }

  int head_of(int token) const {
    const int head = token + doc_.heads()[token];
    if (head >= start_ && head < start_ + static_cast<int>(ids_.size())) return head;
    throw Error(ErrorKind::data,
                fmt::format("the head of token {} (\"{}\") stands in another sentence, which "
                            "CoNLL-U cannot hold",
                            token, printable_brief(doc_.word(token))));
  }

  const Doc& doc_;
  int start_;
  std::vector<int> ids_;
  std::vector<int> found_;  // of heads, by tokens
  std::vector<int> path_;   // of one token, up to a head that is known
};

std::vector<int> numbers_of_words(const Doc& doc, int start, int end) {
  std::vector<int> ids;
  int next = 1;
  for (int i = start; i < end; ++i) ids.push_back(is_left_out(doc, i) ? 0 : next++);
  return ids;
}

}  // namespace

// Tokens [start, end) with the numbers of those that are written.
struct ConlluWriter::Sentence {
  Sentence(const Doc& of, int from, int to)
      : doc(of),
        start(from),
        end(to),
        ids(numbers_of_words(of, from, to)),
        head_numbers(of, from, ids) {
    lemma = any_set(doc, Attr::lemma, start, end);
    upos = any_set(doc, Attr::pos, start, end);
    xpos = any_set(doc, Attr::tag, start, end);
    feats = any_set(doc, Attr::morph, start, end);
    heads = any_set(doc, Attr::dep, start, end);
  }

  bool has_words() const {
    return std::any_of(ids.begin(), ids.end(), [](int id) { return id != 0; });
  }

  std::vector<std::string_view> unset() const {
    std::vector<std::string_view> names;
    const auto note = [&](bool is_set, std::string_view name) {
      if (!is_set) names.push_back(name);
    };
    note(lemma, "lemma");
    note(upos, "upos");
    note(xpos, "xpos");
    note(feats, "feats");
    note(heads, "heads");
    note(!doc.has_unknown_spaces(), "spaces");
    note(heads || doc.has_sents(), "sents");
    return names;
  }

  const Doc& doc;
  int start, end;
  std::vector<int> ids;  // 0 for white space
  HeadNumbers head_numbers;
  bool lemma, upos, xpos, feats, heads;
};

void ConlluWriter::write_comments(const Sentence& sentence, bool first) {
  if (first && newdoc_) out_ << "# newdoc\n";
  out_ << "# sent_id = " << ++sentences_ << '\n';
  out_ << "# text = " << text_of(sentence.doc, sentence.start, sentence.end) << '\n';
  const auto unset = sentence.unset();
  if (!unset.empty()) out_ << "# " << kUnsetComment << fmt::format("{}\n", fmt::join(unset, " "));
}

std::string ConlluWriter::misc_of(const Sentence& sentence, int token) {
  const Doc& doc = sentence.doc;
  std::string misc;
  const auto add = [&](std::string_view part) {
    if (!misc.empty()) misc += '|';
    misc += part;
  };
  // A token of white space behind it is a space in the format.
  const bool before_space = token + 1 < doc.size() && is_left_out(doc, token + 1);
  if (!doc.space(token) && !before_space) add("SpaceAfter=No");
  const Iob iob = doc.ent_iob(token);
  const StringId type = doc.ent_type(token);
  if ((iob == Iob::begin || iob == Iob::in) && type != 0) {
    const std::string_view label = checked(doc.string(type), "label", token);
    if (label.find('|') != label.npos) {
      throw Error(ErrorKind::data, fmt::format("the label \"{}\" has a '|', which CoNLL-U cannot "
                                               "hold",
                                               printable_brief(label)));
    }
    const bool begins = iob == Iob::begin || token == sentence.start || is_left_out(doc, token - 1);
    add(fmt::format("{}{}-{}", fits_misc(label) ? "NE=" : kOwnEntityKey, begins ? 'B' : 'I',
                    label));
    any_entity_tag_ = true;
  } else if (!any_entity_tag_ && iob == Iob::out) {
    add("O");
    any_entity_tag_ = true;
  }
  return misc.empty() ? std::string(kConlluUnset) : misc;
}

void ConlluWriter::write_word(Sentence& sentence, int token) {
  const Doc& doc = sentence.doc;
  const std::string_view pos = column_of(doc, Attr::pos, "part of speech", token);
  const std::string_view tag = column_of(doc, Attr::tag, "tag", token);
  out_ << sentence.ids[token - sentence.start] << '\t' << checked(doc.word(token), "word", token);
  out_ << '\t' << column_of(doc, Attr::lemma, "lemma", token) << '\t' << pos;
  // Readers take the part of speech where there is no tag.
  out_ << '\t' << (tag == pos ? kConlluUnset : tag);
  out_ << '\t' << column_of(doc, Attr::morph, "features", token) << '\t';
  if (sentence.heads) {
    const std::string_view relation = column_of(doc, Attr::dep, "relation", token);
    out_ << sentence.head_numbers.of(token) << '\t' << (relation == "ROOT" ? "root" : relation);
  } else {
    out_ << "_\t_";
  }
  out_ << "\t_\t" << misc_of(sentence, token) << '\n';
}

void ConlluWriter::add(const Doc& doc) {
  bool first = true;
  for (const auto& [start, end] : doc.sents()) {
    Sentence sentence(doc, start, end);
    if (!sentence.has_words()) continue;
    write_comments(sentence, first);
    first = false;
    for (int i = start; i < end; ++i) {
      if (!is_left_out(doc, i)) write_word(sentence, i);
    }
    out_ << '\n';
  }
}

}  // namespace weft
