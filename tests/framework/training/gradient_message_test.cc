// Gradients of a shard come to another rank as they were, in the order of their rows.
#include "framework/training/gradient_message.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"

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
  std::string written(const std::function<bool(std::size_t)>& is_taken) const {
    MessageWriter message;
    write_gradients(message, gradients_, all_, is_taken);
    return message.take();
  }
  void read(const std::string& bytes, Gradients& to) const {
    MessageReader reader(bytes);
    read_gradients(reader, all_, to);
    EXPECT_TRUE(reader.is_at_end());
  }

  Parameter table_, weight_, unused_;
  std::vector<NamedParameter> all_ = {{"table", &table_}, {"weight", &weight_}, {"no", &unused_}};
  Gradients gradients_;
};

TEST_F(GradientMessageTest, ComeAsTheyWere) {
  Gradients got;
  read(written([](std::size_t) { return true; }), got);
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
  read(written([](std::size_t i) { return i == 1; }), got);
  EXPECT_EQ(got.find_rows(table_), nullptr);
  EXPECT_NE(got.find_array(weight_), nullptr);
}

TEST_F(GradientMessageTest, BytesThatDoNotFitAreRefused) {
  const std::string good = written([](std::size_t) { return true; });
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
      read_gradients(reader, all_, got);
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
