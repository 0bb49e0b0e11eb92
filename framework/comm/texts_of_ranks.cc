// Texts of any length between all ranks: their lengths go first.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"
#include "framework/comm/message.h"

namespace weft {
namespace {

// Lengths that other ranks tell are not believed beyond this.
constexpr std::uint64_t kLongestTexts = std::uint64_t{1} << 30;

}  // namespace

std::vector<std::string> all_gather_texts(Communicator& comm, const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  // Kept by the communicator: a wait that ends before its time leaves it at work on them.
  struct Buffers {
    std::uint64_t length;
    std::vector<std::uint64_t> lengths;
    std::string in, out;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->in = mine;
  buffers->length = mine.size();
  buffers->lengths.resize(ranks);
  comm.all_gather({&buffers->length, 1, DType::u64}, {buffers->lengths.data(), ranks, DType::u64},
                  buffers)
      .wait();
  const std::vector<std::size_t> bytes(buffers->lengths.begin(), buffers->lengths.end());
  buffers->out.resize(sum_of_lengths(buffers->lengths, kLongestTexts));
  comm.all_gather_v({buffers->in.data(), buffers->in.size(), DType::u8},
                    {buffers->out.data(), buffers->out.size(), DType::u8}, bytes, buffers)
      .wait();
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (const std::size_t count : bytes) {
    texts.push_back(buffers->out.substr(at, count));
    at += count;
  }
  return texts;
}

std::string broadcast_text(Communicator& comm, const std::string& mine, int root) {
  auto length = std::make_shared<std::uint64_t>(mine.size());
  comm.broadcast({length.get(), 1, DType::u64}, root, length).wait();
  auto text = std::make_shared<std::string>(comm.rank() == root ? mine : std::string());
  text->resize(sum_of_lengths({length.get(), 1}, kLongestTexts));
  comm.broadcast({text->data(), text->size(), DType::u8}, root, text).wait();
  return *text;
}

}  // namespace weft
