// Gradients of a shard come to another rank as they were, in the order of their rows.
#include "framework/training/gradient_message.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"
#include "framework/training/gradient_part.h"

namespace weft {
namespace {

class GradientMessageTest : public testing::Test {
 protected:
  GradientMessageTest() {
    for (Parameter* parameter : {&table_, &weight_, &unused_}) {
      parameter->value = Tensor::zeros({8, 2});
    }
    // In another order than that of the rows.
    std::int32_t rows[] = {5, 2, 5};
    float* values = gradients_.rows_of(table_).touch(rows).as<float>();
    for (int i = 0; i < 4; ++i) values[i] = static_cast<float>(i) + 0.25F;
    gradients_.of(weight_).data<float>()[3] = -1.5F;
  }
  std::string written(const PartOf& part_of) const {
    MessageWriter message;
    write_gradients(message, gradients_, all_, part_of);
    return message.take();
  }
  void read(const std::string& bytes, Gradients& to, const PartOf& part_of = whole) const {
    MessageReader reader(bytes);
    read_gradients(reader, all_, part_of, to);
    EXPECT_TRUE(reader.is_at_end());
  }

  static ArrayPart whole(std::size_t) { return {0, 16}; }

  Parameter table_, weight_, unused_;
  std::vector<NamedParameter> all_ = {{"table", &table_}, {"weight", &weight_}, {"no", &unused_}};
  Gradients gradients_;
};

TEST_F(GradientMessageTest, ComeAsTheyWere) {
  Gradients got;
  read(written(whole), got);
  const RowGradient* rows = got.find_rows(table_);
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(std::vector(rows->rows().begin(), rows->rows().end()),
            (std::vector<std::int32_t>{5, 2}));
  EXPECT_EQ(std::memcmp(rows->values().data, gradients_.find_rows(table_)->values().data, 16), 0);
  ASSERT_NE(got.find_array(weight_), nullptr);
  EXPECT_EQ(got.find_array(weight_)->data<float>()[3], -1.5F);
  EXPECT_TRUE(got.kept(unused_).size() == 0);
}

TEST_F(GradientMessageTest, OnlyThoseThatAreTaken) {
  Gradients got;
  read(written([](std::size_t i) { return i == 1 ? ArrayPart{0, 16} : ArrayPart{}; }), got);
  EXPECT_EQ(got.find_rows(table_), nullptr);
  EXPECT_NE(got.find_array(weight_), nullptr);
}

// The rows of a part, the numbers of a part; zeros beside them.
TEST_F(GradientMessageTest, PartsComeAlone) {
  gradients_.of(weight_).data<float>()[12] = 2.5F;
  const PartOf end = [](std::size_t) { return ArrayPart{8, 16}; };
  Gradients got;
  read(written(end), got, end);
  const RowGradient* rows = got.find_rows(table_);
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(std::vector(rows->rows().begin(), rows->rows().end()), (std::vector<std::int32_t>{5}));
  EXPECT_EQ(rows->values().row<float>(0)[1], 1.25F);
  const float* numbers = got.find_array(weight_)->data<float>();
  EXPECT_EQ(numbers[3], 0.0F);
  EXPECT_EQ(numbers[12], 2.5F);
}

// A rank keeps of its own gradient the same as it reads of another.
TEST_F(GradientMessageTest, OwnPartsAreKeptAsThoseThatCome) {
  const ArrayPart part{8, 16};
  keep_part(gradients_, table_, part);
  keep_part(gradients_, weight_, part);
  keep_part(gradients_, unused_, part);
  const RowGradient* rows = gradients_.find_rows(table_);
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(std::vector(rows->rows().begin(), rows->rows().end()), (std::vector<std::int32_t>{5}));
  EXPECT_EQ(rows->values().row<float>(0)[0], 0.25F);
  EXPECT_EQ(gradients_.find_array(weight_)->data<float>()[3], 0.0F);
  EXPECT_EQ(gradients_.find_array(unused_), nullptr);
}

// Every owner has to know that an array takes part in steps from now on, also of other rows.
TEST_F(GradientMessageTest, ATableThatWasTouchedElsewhereHasAGradient) {
  const PartOf begin = [](std::size_t) { return ArrayPart{0, 4}; };
  Gradients got;
  read(written(begin), got, begin);
  ASSERT_NE(got.find_rows(table_), nullptr);
  EXPECT_TRUE(got.find_rows(table_)->rows().empty());
}

TEST_F(GradientMessageTest, PartsOfOthersAreRefused) {
  const PartOf begin = [](std::size_t) { return ArrayPart{0, 8}; };
  Gradients got;
  EXPECT_THROW(read(written(whole), got, begin), PeerLost);
  gradients_.drop(table_);
  Gradients array;
  EXPECT_THROW(read(written(whole), array, begin), PeerLost);
  Gradients none;
  EXPECT_THROW(read(written(whole), none, [](std::size_t) { return ArrayPart{}; }), PeerLost);
}

TEST_F(GradientMessageTest, BytesThatDoNotFitAreRefused) {
  const std::string good = written(whole);
  for (std::size_t length = 0; length < good.size(); ++length) {
    Gradients got;
    EXPECT_THROW(read(good.substr(0, length), got), PeerLost) << length;
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string changed = good;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    Gradients got;
    MessageReader reader(changed);
    try {
      read_gradients(reader, all_, whole, got);
    } catch (const PeerLost&) {
      continue;
    }
  }
}

TEST_F(GradientMessageTest, ADroppedGradientIsGone) {
  gradients_.drop(table_);
  EXPECT_EQ(gradients_.find_rows(table_), nullptr);
  EXPECT_FALSE(gradients_.empty());
  gradients_.drop(weight_);
  gradients_.drop(unused_);
  EXPECT_TRUE(gradients_.empty());
}

}  // namespace
}  // namespace weft
