// Entity annotation of a Doc, and its attributes as numbers.
#include <algorithm>

#include "framework/text/doc.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {

bool Doc::has_ents() const {
  return empty() || std::any_of(ent_iobs_.begin(), ent_iobs_.end(),
                                [](Iob iob) { return iob != Iob::missing; });
}

std::vector<Span> Doc::ents() const {
  std::vector<Span> ents;
  const std::span<const StringId> types = column(Attr::ent_type);
  bool open = false;
  for (int i = 0; i < static_cast<int>(ent_iobs_.size()); ++i) {
    if (ent_iobs_[i] == Iob::out) {
      open = false;
    } else if (ent_iobs_[i] == Iob::in) {
      if (!open) {
        throw Error(ErrorKind::data, "token " + std::to_string(i) + " (\"" + std::string(word(i)) +
                                         "\") is inside an entity that no token begins");
      }
      ents.back().end = i + 1;
    } else {
      const StringId type = types.empty() ? 0 : types[i];
      open = ent_iobs_[i] == Iob::begin && type != 0;
      if (open) ents.push_back({i, i + 1, type, value(Attr::ent_kb_id, i), value(Attr::ent_id, i)});
    }
  }
  return ents;
}

void Doc::mark(const Span& span, Iob first, Iob rest, std::vector<bool>& seen) {
  if (span.start < 0 || span.end > size() || span.start > span.end) {
    throw Error(ErrorKind::data, "the span " + std::to_string(span.start) + " to " +
                                     std::to_string(span.end) + " does not lie in a document of " +
                                     std::to_string(size()) + " tokens");
  }
  std::vector<StringId>& types = own_column(Attr::ent_type);
  for (int i = span.start; i < span.end; ++i) {
    if (seen[i]) {
      throw Error(ErrorKind::data, "token " + std::to_string(i) + " (\"" + std::string(word(i)) +
                                       "\") is part of two entity spans");
    }
    seen[i] = true;
    ent_iobs_[i] = i == span.start ? first : rest;
    types[i] = span.label;
  }
}

// As spaCy's Doc.set_ents: a token may be in one of the four lists at most, and those in none get
// the default. Blocked tokens are marked as the begin of an entity without type.
void Doc::set_ents(std::span<const Span> ents, EntsDefault otherwise, std::span<const Span> blocked,
                   std::span<const Span> missing, std::span<const Span> outside) {
  ent_iobs_.resize(tokens_->size(), Iob::missing);
  std::vector<bool> seen(tokens_->size(), false);
  const auto fill = [&](Attr attr, const Span& span, StringId id) {
    if (id == 0 && column(attr).empty()) return;
    auto& ids = own_column(attr);
    std::fill(ids.begin() + span.start, ids.begin() + span.end, id);
  };
  for (const Span& span : ents) {
    if (span.label == 0) continue;
    mark(span, Iob::begin, Iob::in, seen);
    fill(Attr::ent_kb_id, span, span.kb_id);
    if (span.id != 0) fill(Attr::ent_id, span, span.id);
  }
  const auto mark_all = [&](std::span<const Span> spans, Iob iob) {
    for (const Span& span : spans) mark({span.start, span.end}, iob, iob, seen);
  };
  mark_all(blocked, Iob::begin);
  mark_all(missing, Iob::missing);
  mark_all(outside, Iob::out);
  if (otherwise != EntsDefault::unmodified) {
    const Iob rest = otherwise == EntsDefault::outside   ? Iob::out
                     : otherwise == EntsDefault::missing ? Iob::missing
                                                         : Iob::begin;
    for (int i = 0; i < size(); ++i) {
      if (seen[i]) continue;
      ent_iobs_[i] = rest;
      if (!column(Attr::ent_type).empty()) own_column(Attr::ent_type)[i] = 0;
    }
  }
  repair_ents();
}

void Doc::set_ent_columns(std::vector<Iob> iobs, std::vector<StringId> types) {
  if (iobs.size() != tokens_->size()) {
    throw Error(ErrorKind::data, std::to_string(iobs.size()) + " entity marks for " +
                                     std::to_string(size()) + " tokens");
  }
  ent_iobs_ = std::move(iobs);
  set_column(Attr::ent_type, std::move(types));
}

// Only the token behind is changed, so one pass from left to right suffices.
void Doc::repair_ents() {
  const auto within = [](Iob iob) { return iob == Iob::begin || iob == Iob::in; };
  for (int i = 0; i + 1 < static_cast<int>(ent_iobs_.size()); ++i) {
    if (ent_iobs_[i + 1] != Iob::in) continue;
    if (!within(ent_iobs_[i]) || ent_type(i) != ent_type(i + 1)) ent_iobs_[i + 1] = Iob::begin;
  }
}

std::vector<StringId> Doc::attr_values(Attr attr) const {
  std::vector<StringId> values(tokens_->size(), 0);
  const auto fill = [&](auto value_at) {
    for (int i = 0; i < size(); ++i) values[i] = value_at(i);
  };
  switch (attr) {
    case Attr::orth:
    case Attr::norm:
    case Attr::prefix:
    case Attr::suffix:
    case Attr::shape: {
      const std::span<const StringId> ids = attr_ids(attr);
      values.assign(ids.begin(), ids.end());
      break;
    }
    case Attr::lower:
      fill([&](int i) { return vocab_->lexeme(word(i)).lower; });
      break;
    case Attr::length:
      fill([&](int i) { return count_code_points(word(i)); });
      break;
    case Attr::spacy:
      fill([&](int i) { return StringId{space(i)}; });
      break;
    case Attr::ent_iob:
      fill([&](int i) { return static_cast<StringId>(ent_iob(i)); });
      break;
    case Attr::sent_start:
      fill([&](int i) { return static_cast<StringId>(std::int64_t{sent_starts_[i]}); });
      break;
    case Attr::head:
      if (heads_.empty()) break;
      fill([&](int i) { return static_cast<StringId>(std::int64_t{heads_[i]}); });
      break;
    default:
      if (static_cast<unsigned>(attr) <= static_cast<unsigned>(Attr::is_currency)) {
        fill([&](int i) { return StringId{has_flag(i, attr)}; });
      } else if (const std::span<const StringId> ids = column(attr); !ids.empty()) {
        values.assign(ids.begin(), ids.end());
      }
  }
  return values;
}

}  // namespace weft
