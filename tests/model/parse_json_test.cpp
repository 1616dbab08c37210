#include "coppice/model/parse_json.h"

#include <gmock/gmock.h>

namespace coppice {
namespace {

using ::testing::HasSubstr;

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ParseJson, TakesWhatIsJson) {
  const auto parsed = parse_json(R"( {"b": [1, {"a": null}], "a": {"a": "\u0000 \n"}} )");
  EXPECT_EQ(parsed.mistake, "");
  EXPECT_EQ(parsed.value, nlohmann::json::parse(R"({"a": {"a": "\u0000 \n"}, "b": [1, {"a": null}]})"));
  EXPECT_EQ(parse_ordered_json(R"({"b": 1, "a": 2})").value.dump(), R"({"b":1,"a":2})");
  EXPECT_EQ(parse_json(nested(100)).mistake, "");
}

TEST(ParseJson, RefusesWhatIsNot) {
  for (const char* text : {"", "{", "{}}", "7 8", "\xff", "{\"a\":}"}) {
    const auto parsed = parse_json(text);
    EXPECT_THAT(parsed.mistake, HasSubstr("syntax")) << text;
    EXPECT_TRUE(parsed.value.is_discarded()) << text;
  }
}

TEST(ParseJson, RefusesWhatAnotherReaderWouldTakeOtherwise) {
  EXPECT_THAT(parse_json(R"({"a": 1, "b": {"a": 2, "a": 3}})").mistake,
              HasSubstr("\"a\" stands there twice"));
  EXPECT_THAT(parse_ordered_json(R"([{"a": 1}, {"a": 1}, {"x": 1, "x": 1}])").mistake, HasSubstr("\"x\""));
  EXPECT_THAT(parse_json(std::string_view("{}\0{", 4)).mistake, HasSubstr("zero bytes"));
  EXPECT_TRUE(parse_json(R"({"a": 1, "a": 1})").value.is_discarded());
}

TEST(ParseJson, RefusesWhatIsNestedDeeperThanAStackIsLong) {
  for (const std::size_t depth : {101U, 200U, 80'000U, 3'000'000U}) {
    EXPECT_THAT(parse_json(nested(depth)).mistake, HasSubstr("too deep")) << depth;
    EXPECT_TRUE(parse_ordered_json(nested(depth)).value.is_discarded()) << depth;
  }
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(parse_json(objects).mistake, "");
}

}  // namespace
}  // namespace coppice
