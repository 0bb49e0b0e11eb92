#include "framework/io/safetensors.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

std::string file(const std::string& header, const std::string& data) {
  std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

std::string array(const char* dtype, const char* shape, const char* offsets) {
  return std::string(R"({"__metadata__":{"a":"b"},"x":{"dtype":")") + dtype + R"(","shape":)" +
         shape + R"(,"data_offsets":)" + offsets + "}}";
}

TEST(SafeTensors, ReadsArrays) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::string data(reinterpret_cast<const char*>(values), sizeof values);
  const auto tensors = SafeTensors::parse(file(array("F32", "[2,3]", "[0,24]"), data), "x");
  EXPECT_EQ(tensors.names(), std::vector<std::string>{"x"});
  const Tensor tensor = tensors.tensor("x");
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor.data<float>()[4], 5);
  EXPECT_THROW(tensors.tensor("y"), Error);
}

TEST(SafeTensors, RefusesFalseClaims) {
  const std::string data(24, '\0');
  for (const std::string& header :
       {array("F32", "[2,3]", "[0,28]"), array("F32", "[2,3]", "[8,4]"),
        array("F32", "[2,4]", "[0,24]"), array("F32", "[-2,3]", "[0,24]"),
        array("F32", "[4294967295,4294967295,4294967295]", "[0,24]"),
        array("F31", "[2,3]", "[0,24]"), array("F32", "6", "[0,24]"), std::string("[]"),
        std::string("{\"x\":1}"), std::string("{")}) {
    EXPECT_THROW(SafeTensors::parse(file(header, data), "x"), Error) << header;
  }
  EXPECT_THROW(SafeTensors::parse("short", "x"), Error);
  EXPECT_THROW(SafeTensors::parse(std::string(16, '\xff'), "x"), Error);
}

// One array of a header.
std::string entry(const std::string& name, const char* shape, const char* offsets) {
  return "\"" + name + R"(":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}";
}

TEST(SafeTensors, ArraysThatShareBytesAreRefused) {
  const auto parse = [](const std::string& entries) {
    return SafeTensors::parse(file("{" + entries + "}", std::string(24, '\0')), "it/x");
  };
  const std::string left = entry("a", "[4]", "[0,16]");
  EXPECT_EQ(parse(left + "," + entry("b", "[2]", "[16,24]")).names().size(), 2U);
  for (const std::string& right : {entry("b", "[3]", "[12,24]"), entry("b", "[4]", "[0,16]")}) {
    try {
      parse(left + "," + right);
      ADD_FAILURE() << right;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_STREQ(error.what(), "it/x: array 'b': shares bytes with another array");
    }
  }
}

TEST(SafeTensors, ArraysMayBeEmpty) {
  const auto parse = [](const std::string& entries) {
    return SafeTensors::parse(file("{" + entries + "}", std::string(8, '\0')), "x");
  };
  const auto tensors = parse(entry("a", "[0]", "[0,0]") + "," + entry("b", "[4,0]", "[0,0]") + "," +
                             entry("c", "[0,4]", "[8,8]") + "," + entry("d", "[2]", "[0,8]"));
  EXPECT_EQ(tensors.tensor("a").shape(), (Shape{0}));
  EXPECT_EQ(tensors.tensor("b").shape(), (Shape{4, 0}));
  EXPECT_EQ(tensors.tensor("c").shape(), (Shape{0, 4}));
  EXPECT_EQ(tensors.tensor("d").size(), 2);
  EXPECT_THROW(parse(entry("a", "[4,0]", "[0,4]")), Error);
  EXPECT_THROW(parse(entry("a", "[4294967295,4294967295,0]", "[0,0]")), Error);
}

}  // namespace
}  // namespace weft
