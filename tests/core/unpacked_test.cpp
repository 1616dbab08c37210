#include "coppice/core/unpacked.h"

#include "coppice/core/error.h"

#include "tests/fuzz/bytes.h"
#include "tests/support.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace coppice {
namespace {

using fuzz::Bytes;
using test::message_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string member_of(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::vector<unsigned char> input(bytes.begin(), bytes.end());
  stream.next_in = input.data();
  stream.avail_in = static_cast<unsigned>(input.size());
  stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// All that comes of the bytes, some read ahead and pulled at a time.
std::string unpacked(const std::string& bytes, std::size_t ahead, std::size_t portion) {
  Bytes packed(bytes);
  UnpackedStream stream(packed, "a.gz", ahead);
  std::string all;
  std::string buffer(portion, '\0');
  while (const std::size_t n = stream.read(buffer.data(), portion)) all.append(buffer, 0, n);
  return all;
}

TEST(Unpacked, IsTheSameHoweverMuchIsReadAhead) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * i) + '\n';
  const std::string two = member_of(text) + member_of("end") + "no member";
  for (const std::size_t ahead : {2, 3, 10, 1000, 1 << 20}) {
    for (const std::size_t portion : {1, 7, 1 << 16}) {
      EXPECT_EQ(unpacked(two, ahead, portion), text + "end");
      EXPECT_EQ(unpacked(text, ahead, portion), text);
    }
    EXPECT_EQ(unpacked("", ahead, 5), "");
    EXPECT_EQ(unpacked("\x1F", ahead, 5), "\x1F");
  }
}

TEST(Unpacked, WhatIsCutOffComesAsFarAsItGoesAndIsRefusedThen) {
  const std::string text(5000, 'x');
  const std::string packed = member_of(text + "yz");
  Bytes bytes(std::string_view(packed).substr(0, packed.size() - 9));
  UnpackedStream stream(bytes, "a.gz", 16);
  std::string some(4000, '\0');
  EXPECT_EQ(stream.read(some.data(), some.size()), some.size());
  EXPECT_EQ(some, text.substr(0, 4000));
  EXPECT_THAT(message_of([&] { stream.read(some.data(), some.size()); }),
              AllOf(StartsWith("a.gz: "), HasSubstr("unexpected end of file")));
}

}  // namespace
}  // namespace coppice
