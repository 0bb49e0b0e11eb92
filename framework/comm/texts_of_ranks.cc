// Texts of any length between all ranks: their lengths go first.
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

#include "framework/comm/communicator.h"

namespace weft {
namespace {

// Lengths that another rank tells are not believed beyond this.
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 30;

}  // namespace

void all_gather_and_wait(Communicator& comm, ConstCommBuffer in, CommBuffer out) {
  comm.all_gather(in, out).wait();
}

std::vector<std::string> all_gather_texts(Communicator& comm, const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::uint64_t length = mine.size();
  auto lengths = std::make_shared<std::vector<std::uint64_t>>(ranks);
  all_gather_and_wait(comm, {&length, 1, DType::u64}, {lengths->data(), ranks, DType::u64});
  std::vector<std::size_t> bytes;
  for (const std::uint64_t of_rank : *lengths) {
    if (of_rank > kLongestText) throw PeerLost("a rank tells of a text of impossible length");
    bytes.push_back(of_rank);
  }
  auto text = std::make_shared<std::pair<std::string, std::string>>();
  text->first = mine;
  text->second.resize(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
  comm.all_gather_v({text->first.data(), text->first.size(), DType::u8},
                    {text->second.data(), text->second.size(), DType::u8}, bytes, text)
      .wait();
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (const std::size_t count : bytes) {
    texts.push_back(text->second.substr(at, count));
    at += count;
  }
  return texts;
}

std::string broadcast_text(Communicator& comm, const std::string& mine, int root) {
  auto length = std::make_shared<std::uint64_t>(mine.size());
  comm.broadcast({length.get(), 1, DType::u64}, root, length).wait();
  if (*length > kLongestText) throw PeerLost("a rank tells of a text of impossible length");
  auto text = std::make_shared<std::string>(comm.rank() == root ? mine : std::string());
  text->resize(*length);
  comm.broadcast({text->data(), text->size(), DType::u8}, root, text).wait();
  return *text;
}

}  // namespace weft
