#include "framework/text/ent_confidence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/text/murmur3.h"

namespace weft {

namespace {

// The column of the reference's attribute PROB, which says nothing of the tokens of a document. An
// entity has its number at its first token: in the upper half the confidence as a float, in the
// lower half a hash of its length and label. A number that is left behind when entities change
// belongs to none.
constexpr auto kColumn = static_cast<Attr>(82);
constexpr double kDigits = 1e7;  // that a float holds

std::uint64_t signature(const Span& entity) {
  const std::uint64_t facts[] = {static_cast<std::uint64_t>(entity.end - entity.start),
                                 entity.label};
  const std::string_view bytes(reinterpret_cast<const char*>(facts), sizeof facts);
  return murmur3_128(bytes, 0)[0] >> 32 | 1;  // 0 is the number of no entity
}

}  // namespace

std::optional<double> ent_confidence(const Doc& doc, const Span& entity) {
  const std::uint64_t number = doc.value(kColumn, entity.start);
  if (number == 0 || (number & 0xFFFFFFFF) != signature(entity)) return std::nullopt;
  const double value{std::bit_cast<float>(static_cast<std::uint32_t>(number >> 32))};
  return std::round(value * kDigits) / kDigits;
}

void set_ent_confidences(Doc& doc, std::span<const EntConfidence> confidences) {
  if (confidences.empty()) return;
  const auto column = doc.column(kColumn);
  std::vector<StringId> numbers(column.begin(), column.end());
  numbers.resize(static_cast<std::size_t>(doc.size()), 0);
  for (const auto& [entity, confidence] : confidences) {
    const auto value = static_cast<float>(confidence >= 0 ? std::min(confidence, 1.0) : 0.0);
    numbers[static_cast<std::size_t>(entity.start)] =
        std::uint64_t{std::bit_cast<std::uint32_t>(value)} << 32 | signature(entity);
  }
  doc.set_column(kColumn, std::move(numbers));
}

void drop_ents_below(Doc& doc, double least) {
  std::vector<Iob> iobs(doc.ent_iobs().begin(), doc.ent_iobs().end());
  std::vector<StringId> types = doc.attr_values(Attr::ent_type);
  bool is_changed = false;
  for (const Span& entity : doc.ents()) {
    const auto confidence = ent_confidence(doc, entity);
    if (!confidence || *confidence >= least) continue;
    for (int i = entity.start; i < entity.end; ++i) {
      iobs[static_cast<std::size_t>(i)] = Iob::out;
      types[static_cast<std::size_t>(i)] = 0;
    }
    is_changed = true;
  }
  if (is_changed) doc.set_ent_columns(std::move(iobs), std::move(types));
}

}  // namespace weft
