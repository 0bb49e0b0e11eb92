#include "framework/io/safetensors_writer.h"

#include <cstring>
#include <sstream>

#include <gtest/gtest.h>

#include "framework/io/safetensors.h"

namespace weft {
namespace {

std::string written(const std::map<std::string, Tensor>& arrays) {
  std::ostringstream out;
  write_safetensors(arrays, out);
  return out.str();
}

TEST(SafetensorsWriterTest, IsReadBackAsItWas) {
  const Tensor weights = Tensor::from<float>({2, 3}, {1, 2, 3, -0.0F, 5e-38F, 6});
  Tensor ids = Tensor::zeros({2}, DType::u64);
  ids.data<std::uint64_t>()[1] = ~std::uint64_t{0};
  const auto read =
      SafeTensors::parse(written({{"ner/3/linear/W", weights}, {"ids", ids}}), "test");
  EXPECT_EQ(read.names(), (std::vector<std::string>{"ids", "ner/3/linear/W"}));
  const Tensor back = read.tensor("ner/3/linear/W");
  EXPECT_EQ(back.shape(), weights.shape());
  EXPECT_EQ(std::memcmp(back.data<float>(), weights.data<float>(), weights.bytes()), 0);
  EXPECT_EQ(read.tensor("ids").data<std::uint64_t>()[1], ~std::uint64_t{0});
}

// As the format's description lays it out: length, header, data; the data begins at a multiple
// of 8.
TEST(SafetensorsWriterTest, LaysTheFileOutAsTheFormatSays) {
  const std::string bytes = written({{"b", Tensor::from<float>({1}, {1.0F})}});
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(bytes.size(), 8 + length + 4);
  EXPECT_EQ(bytes.substr(8, 61),
            R"({"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})");
  EXPECT_EQ(bytes.substr(69, length - 61), "   ");
  EXPECT_EQ(bytes.substr(bytes.size() - 4), std::string("\0\0\x80\x3f", 4));
}

TEST(SafetensorsWriterTest, NoArraysAreAFileToo) {
  EXPECT_TRUE(SafeTensors::parse(written({}), "test").names().empty());
}

}  // namespace
}  // namespace weft
