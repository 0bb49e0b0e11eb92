#include "framework/text/doc_bin.h"
#include "framework/text/doc_bin_decoder.h"
#include "registry/base/error.h"

namespace weft {

std::vector<Attr> default_doc_bin_attrs() {
  return {Attr::orth,      Attr::norm,    Attr::lemma,    Attr::pos,  Attr::tag,
          Attr::dep,       Attr::ent_iob, Attr::ent_type, Attr::head, Attr::sent_start,
          Attr::ent_kb_id, Attr::morph,   Attr::ent_id};
}

DocBinReader::DocBinReader(std::string path, std::shared_ptr<const Vocab> vocab)
    : path_(std::move(path)),
      vocab_(std::move(vocab)),
      contents_(std::make_unique<Contents>(path_)),
      decoder_(std::make_unique<Decoder>(*contents_, vocab_, path_)) {}

DocBinReader::~DocBinReader() = default;

std::optional<Doc> DocBinReader::next() {
  if (next_ >= size()) return std::nullopt;
  try {
    Doc doc = decoder_->decode(next_);
    ++next_;
    return doc;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    throw Error(ErrorKind::data, "document " + std::to_string(next_ + 1) + ": " + error.message(),
                Origin::file(std::make_shared<const std::string>(path_), 0, 0));
  }
}

std::size_t DocBinReader::size() const {
  return contents_->lengths.size();
}
std::size_t DocBinReader::tokens() const {
  return contents_->token_count;
}
const std::string& DocBinReader::version() const {
  return contents_->version;
}
const std::vector<std::uint32_t>& DocBinReader::attrs() const {
  return contents_->attrs;
}
const std::vector<std::string>& DocBinReader::keys() const {
  return contents_->keys;
}
const StringTable& DocBinReader::strings() const {
  return *contents_->strings;
}
bool DocBinReader::has_user_data() const {
  return contents_->user_data.cursor != nullptr;
}

}  // namespace weft
