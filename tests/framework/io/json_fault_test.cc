// Words of the JSON library as they stand in our messages.
#include "framework/io/json_fault.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

std::string fault_of(const std::string& text, bool of_one_line) {
  try {
    return nlohmann::json::parse(text).dump();
  } catch (const nlohmann::json::exception& error) {
    return json_fault(error.what(), of_one_line);
  }
}

TEST(JsonFault, HasThePlaceAndNothingOfTheLibrary) {
  EXPECT_EQ(fault_of("{\"text\"", true), "column 8: unexpected end of input; expected ':'");
  EXPECT_EQ(fault_of("{\n\"text\"", false),
            "line 2, column 7: unexpected end of input; expected ':'");
  for (const char* text : {"[1,", "{\"a\": nul}", "\"\\x\"", "[1] 2", "\"\xff\""}) {
    const std::string fault = fault_of(text, true);
    EXPECT_TRUE(fault.starts_with("column ")) << fault;
    EXPECT_EQ(fault.find("json.exception"), fault.npos) << fault;
    EXPECT_EQ(fault.find("syntax error"), fault.npos) << fault;
  }
}

TEST(JsonFault, OfAnotherFormIsKept) {
  EXPECT_EQ(json_fault("[json.exception.type_error.302] type must be string, but is number", true),
            "type must be string, but is number");
  EXPECT_EQ(json_fault("out of luck", true), "out of luck");
}

}  // namespace
}  // namespace weft
