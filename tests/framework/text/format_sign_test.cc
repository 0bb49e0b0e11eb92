#include "framework/text/format_sign.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace weft {
namespace {

TEST(FormatSign, AFormatIsToldByItsFirstLines) {
  EXPECT_EQ(converter_for_bytes("\n {\"text\": \"a\"}\n"), "jsonl");
  EXPECT_EQ(converter_for_bytes("[{\"id\": 0, \"paragraphs\": []}]"), "json");
  EXPECT_EQ(converter_for_bytes("[\n{\"text\": \"a\"}]"), "jsonl");
  EXPECT_EQ(converter_for_bytes("# sent_id = 1\n# text = a\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n"),
            "conllu");
  EXPECT_EQ(converter_for_bytes("1\ta\ta\tX\tX\t_\t0\troot\t_\t_\r\n"), "conllu");
  EXPECT_EQ(converter_for_bytes("# newdoc\n"), "conllu");
  EXPECT_EQ(converter_for_bytes("-DOCSTART- -X- O O\n\nEU NNP I-NP B-ORG\n"), "conll");
  EXPECT_EQ(converter_for_bytes("EU\tB-ORG\n"), "conll");
  EXPECT_EQ(converter_for_bytes("EU|B-ORG rejects|O\n"), "iob");
  EXPECT_EQ(converter_for_bytes("\x78\x9c\x01"), "spacy");
  EXPECT_EQ(converter_for_bytes("# a heading\n"), "text");
  EXPECT_EQ(converter_for_bytes("x marks the spot, said O\n"), "text");
  EXPECT_EQ(converter_for_bytes("Plain words.\n"), "text");
  EXPECT_EQ(converter_for_bytes(""), "text");
}

TEST(FormatSign, WhatStandsInAPipeStaysThere) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "one\ntwo", 7), 7);
  const std::string name = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(first_bytes(name), "one\ntwo");
  EXPECT_EQ(first_bytes(name), "one\ntwo");
  ::close(ends[1]);
  char bytes[16];
  EXPECT_EQ(::read(ends[0], bytes, sizeof bytes), 7);
  EXPECT_EQ(first_bytes(name), "") << "at its end";
  ::close(ends[0]);
  EXPECT_EQ(first_bytes("/etc/passwd"), "") << "only names of what is open";
  EXPECT_FALSE(is_open_already("/dev/fd/x"));
}

}  // namespace
}  // namespace weft
