#include "framework/text/conll_writer.h"

#include <string_view>

#include <fmt/format.h>

#include "framework/text/biluo.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A column of a row: "word 3", "the tag of word 3".
std::string_view checked(std::string_view text, std::string_view column, int i) {
  if (text.find_first_of("\t\n\r") == text.npos) return text;
  throw Error(ErrorKind::data,
              fmt::format("{} {} has a tab or a line break, which CoNLL cannot hold", column, i));
}

std::string_view tag_of(const Doc& doc, int i) {
  const StringId tag = doc.value(Attr::tag, i);
  return tag == 0 ? "_" : checked(doc.string(tag), "the tag of word", i);
}

}  // namespace

void ConllWriter::write_sentence(const Doc& doc, int start, int end) {
  bool written = false;
  bool begins = false;  // the first token of an entity was left out
  for (int i = start; i < end; ++i) {
    const Iob iob = doc.ent_iob(i);
    begins = iob == Iob::begin || (begins && iob == Iob::in);
    if (doc.is_space(i)) continue;
    out_ << checked(doc.word(i), "word", i) << '\t';
    if (*with_tags_) out_ << tag_of(doc, i) << '\t';
    if (doc.ent_type(i) == 0 || iob == Iob::out || iob == Iob::missing) {
      out_ << (iob == Iob::missing ? "-" : "O") << '\n';
    } else {
      out_ << (begins ? "B-" : "I-") << checked(doc.string(doc.ent_type(i)), "the label of word", i)
           << '\n';
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
