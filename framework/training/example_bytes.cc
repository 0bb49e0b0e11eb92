#include "framework/training/example_bytes.h"

namespace weft {
namespace {

// Of a token in its table: five ids, flags, offset, space.
constexpr std::size_t kTableBytes = 5 * sizeof(StringId) + sizeof(LexemeFlags) + 5;
// Of a token in an alignment: an offset and a number on either side.
constexpr std::size_t kAlignmentBytes = 16;
constexpr std::size_t kFixedBytes = sizeof(Example) + 3 * sizeof(TokenTable);

std::size_t annotation_bytes(const Doc& doc) {
  std::size_t bytes = doc.sent_starts().size() + doc.ent_iobs().size() + 4 * doc.heads().size();
  for (const Attr attr : {Attr::lemma, Attr::pos, Attr::tag, Attr::dep, Attr::morph, Attr::ent_type,
                          Attr::ent_kb_id, Attr::ent_id}) {
    bytes += doc.column(attr).size_bytes();
  }
  return bytes;
}

std::size_t table_bytes(const Doc& doc) {
  return doc.text().size() + static_cast<std::size_t>(doc.size()) * kTableBytes;
}

}  // namespace

std::size_t estimated_bytes(const Example& example) {
  const Doc& predicted = example.predicted();
  const Doc& reference = example.reference();
  std::size_t bytes = kFixedBytes + table_bytes(predicted) + annotation_bytes(predicted) +
                      annotation_bytes(reference) +
                      static_cast<std::size_t>(predicted.size()) * kAlignmentBytes;
  if (predicted.tokens() != reference.tokens()) bytes += table_bytes(reference);
  return bytes;
}

}  // namespace weft
