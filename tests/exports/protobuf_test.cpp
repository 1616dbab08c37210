#include "coppice/exports/protobuf.h"

#include <string>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using namespace std::string_literals;

std::string of_number(std::uint32_t field, std::int64_t value) {
  ProtoMessage message;
  message.put(field, value);
  return message.bytes();
}

TEST(Protobuf, WholeNumbersTakeSevenBitsAByteTheLowestFirst) {
  EXPECT_EQ(of_number(1, 0), "\x08\x00"s);
  EXPECT_EQ(of_number(1, 127), "\x08\x7F");
  EXPECT_EQ(of_number(1, 128), "\x08\x80\x01");
  EXPECT_EQ(of_number(1, 150), "\x08\x96\x01");
  EXPECT_EQ(of_number(20, 300), "\xA0\x01\xAC\x02") << "numbers of fields from 16 on take two bytes";
  EXPECT_EQ(of_number(1, -1), "\x08" + std::string(9, '\xFF') + "\x01") << "as 64 bits";
}

TEST(Protobuf, TextsAndMessagesAreLedByTheirSize) {
  ProtoMessage inner;
  inner.put(2, std::string_view("abc"));
  EXPECT_EQ(inner.bytes(),
            "\x12\x03"
            "abc");
  ProtoMessage outer;
  outer.put(3, inner);
  outer.put(4, std::string_view());
  EXPECT_EQ(outer.bytes(),
            "\x1A\x05\x12\x03"
            "abc\x22\x00"s);
  ProtoMessage large;
  large.put(1, std::string_view(std::string(200, 'x')));
  EXPECT_EQ(large.bytes(), "\x0A\xC8\x01" + std::string(200, 'x'));
}

TEST(Protobuf, FloatsAreFourBytesLittleEndian) {
  ProtoMessage message;
  message.put(2, 1.0F);
  EXPECT_EQ(message.bytes(), "\x15\x00\x00\x80\x3F"s);
}

}  // namespace
}  // namespace coppice
