#include "framework/text/conll_writer.h"

#include <string>

#include "framework/text/biluo.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::string_view checked_word(const Doc& doc, int i) {
  const std::string_view word = doc.word(i);
  if (word.find_first_of("\t\n\r") == word.npos) return word;
  throw Error(ErrorKind::data,
              "word " + std::to_string(i) + " has a tab or a line break, which CoNLL cannot hold");
}

std::string tag_of(const Doc& doc, int i) {
  const StringId tag = doc.value(Attr::tag, i);
  return tag == 0 ? "_" : std::string(doc.string(tag));
}

}  // namespace

void ConllWriter::write_sentence(const Doc& doc, int start, int end) {
  bool written = false;
  bool begins = false;  // the first token of an entity was left out
  for (int i = start; i < end; ++i) {
    const Iob iob = doc.ent_iob(i);
    begins = iob == Iob::begin || (begins && iob == Iob::in);
    if (doc.is_space(i)) continue;
    out_ << checked_word(doc, i) << '\t';
    if (*with_tags_) out_ << tag_of(doc, i) << '\t';
    if (doc.ent_type(i) == 0 || iob == Iob::out || iob == Iob::missing) {
      out_ << (iob == Iob::missing ? "-" : "O") << '\n';
    } else {
      out_ << (begins ? "B-" : "I-") << doc.string(doc.ent_type(i)) << '\n';
    }
    begins = false;
    written = true;
  }
  if (written) out_ << '\n';
}

void ConllWriter::add(const Doc& doc) {
  if (!with_tags_) with_tags_ = !doc.column(Attr::tag).empty();
  if (docstart_) out_ << "-DOCSTART-\tO\n\n";
  for (const auto& [start, end] : doc.sents()) write_sentence(doc, start, end);
}

}  // namespace weft
