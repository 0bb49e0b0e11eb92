// Bytes between ranks, and bytes that no rank sends.
#include "framework/comm/message.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"

namespace weft {
namespace {

Tensor counted(Shape shape) {
  Tensor tensor = Tensor::zeros(shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = static_cast<float>(i);
  return tensor;
}

std::string sample() {
  MessageWriter writer;
  writer.put<std::int32_t>(-7);
  writer.put_text("a text");
  writer.put_tensor({});
  writer.put_tensor(counted({2, 3}));
  writer.put_tensor(counted({2, 1, 2, 2}));
  return writer.take();
}

TEST(Message, ComesBackAsItWas) {
  const std::string bytes = sample();
  MessageReader reader(bytes);
  EXPECT_EQ(reader.get<std::int32_t>(), -7);
  EXPECT_EQ(reader.get_text(), "a text");
  EXPECT_FALSE(reader.get_tensor());
  for (const Shape shape : {Shape{2, 3}, Shape{2, 1, 2, 2}}) {
    const Tensor tensor = reader.get_tensor(), expected = counted(shape);
    ASSERT_EQ(tensor.shape(), shape);
    EXPECT_EQ(std::memcmp(tensor.cview().data, expected.cview().data, tensor.bytes()), 0);
  }
  EXPECT_TRUE(reader.is_at_end());
}

TEST(Message, CutAnywhereItIsRefused) {
  const std::string bytes = sample();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    const auto read = [&] {
      MessageReader reader(cut);
      reader.get<std::int32_t>();
      reader.get_text();
      for (int i = 0; i < 3; ++i) reader.get_tensor();
    };
    EXPECT_THROW(read(), PeerLost) << length;
  }
}

TEST(Message, ImpossibleSizesAreRefusedBeforeMemoryIsTaken) {
  const auto tensor_of = [](std::int64_t rank, std::int64_t dim) {
    MessageWriter writer;
    writer.put<std::uint8_t>(1);
    writer.put(DType::f32);
    writer.put(rank);
    for (int i = 0; i < 4; ++i) writer.put(dim);
    return writer.take();
  };
  for (const std::string& bytes :
       {tensor_of(9, 1), tensor_of(-1, 1), tensor_of(4, std::int64_t{1} << 40), tensor_of(2, -1)}) {
    EXPECT_THROW(MessageReader(bytes).get_tensor(), PeerLost);
  }
  MessageWriter writer;
  writer.put<std::uint64_t>(std::uint64_t{1} << 60);
  const std::string text = writer.take();
  EXPECT_THROW(MessageReader(text).get_text(), PeerLost);
  EXPECT_THROW(MessageReader(text).get_count(), PeerLost);
}

TEST(Message, CountsAreThoseOfBytesThatFollow) {
  MessageWriter writer;
  writer.put<std::uint64_t>(3);
  writer.put_bytes("abc", 3);
  const std::string bytes = writer.take();
  EXPECT_EQ(MessageReader(bytes).get_count(), 3U);
  EXPECT_THROW(MessageReader(std::string_view(bytes).substr(0, 10)).get_count(), PeerLost);
}

// A sum that wraps around would make room for less than comes.
TEST(Message, LengthsAreAddedUpWithinTheirBound) {
  using Lengths = std::vector<std::uint64_t>;
  EXPECT_EQ(sum_of_lengths(Lengths{}, 5), 0U);
  EXPECT_EQ(sum_of_lengths(Lengths{2, 0, 3}, 5), 5U);
  constexpr std::uint64_t all = ~std::uint64_t{0};
  for (const Lengths& lengths : {Lengths{6}, Lengths{2, 4}, Lengths{2, all}}) {
    EXPECT_THROW(sum_of_lengths(lengths, 5), PeerLost);
  }
}

}  // namespace
}  // namespace weft
