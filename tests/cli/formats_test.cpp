#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <random>

#include <fmt/format.h>
#include <zlib.h>

namespace coppice::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
          static_cast<char>(value)};
}

/// Images of 4x4 whose upper (class 0), middle (5) or lower (9) part is bright.
std::string idx_images(std::uint32_t count) {
  std::mt19937 random(count);
  std::string bytes = std::string("\0\0\x08\x03", 4) + big_endian(count) + big_endian(4) + big_endian(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t p = 0; p < 16; ++p) {
      const bool bright = p / 4 == i % 3 || (i % 3 == 2 && p >= 12);
      bytes += static_cast<char>((bright ? 180 : 0) + random() % 60);
    }
  }
  return bytes;
}

std::string idx_labels(std::uint32_t count) {
  std::string bytes = std::string("\0\0\x08\x01", 4) + big_endian(count);
  for (std::uint32_t i = 0; i < count; ++i) bytes += "\0\x05\x09"[i % 3];
  return bytes;
}

class Formats : public Program {
 protected:
  /// Trains on a file, evaluates on it and predicts it; returns the share of wrong rows.
  double learned(const std::string& file, const Arguments& flags = {}) const {
    const Outcome trained = ok(Arguments{"train", file, "--max-epochs", "60", "-o", "run-" + file} + flags);
    const Json metrics = ok({"evaluate", "run-" + file + "/model.coppice", file, "--json"}).json();
    const std::size_t rows = lines_of(ok({"predict", "run-" + file + "/model.coppice", file}).out).size();
    EXPECT_EQ(rows, metrics["rows"].get<std::size_t>() + 1);
    return metrics["error"];
  }
};

TEST_F(Formats, TabsSemicolonsAndPipesAreFound) {
  write("comma.csv", mixed_csv(300));
  write("tab.tsv", mixed_csv(300, 1, "\t"));
  write("semicolon.csv", mixed_csv(300, 1, ";"));
  write("pipe.txt", mixed_csv(300, 1, "|"));
  const Arguments flags{"--target", "kind", "--id", "id", "--max-epochs", "5", "--quiet"};
  ok(Arguments{"train", "comma.csv", "-o", "comma"} + flags);
  for (const std::string file : {"tab.tsv", "semicolon.csv", "pipe.txt"}) {
    ok(Arguments{"train", file, "-o", file + "-run"} + flags);
    EXPECT_EQ(read(file + "-run/model.coppice"), read("comma/model.coppice")) << file;
  }
}

TEST_F(Formats, ByteOrderMarkLineEndsAndQuotedNewlinesChangeNothing) {
  write("plain.csv", ring_csv(200));
  std::string other = "\xEF\xBB\xBF\"x0\",\"x1\",label";
  for (const std::string& line : lines_of(ring_csv(200))) {
    if (line[1] != '0' || line[0] != 'x') other += "\r\n" + line;
  }
  write("other.csv", other);
  for (const std::string name : {"plain", "other"}) {
    ok({"train", name + ".csv", "--max-epochs", "3", "-o", name, "--quiet"});
  }
  EXPECT_EQ(read("plain/model.coppice"), read("other/model.coppice"));
  write("quoted.csv", "\"na\nme\",y\n\"a\nb\",1\n\"c \"\"d\"\"\",0\n\"a\nb\",1\n\"c \"\"d\"\"\",0\n");
  ok({"train", "quoted.csv", "--target", "y", "--max-epochs", "3", "-o", "quoted", "--quiet"});
  const Json model = ok({"inspect", "quoted/model.coppice", "--json"}).json();
  EXPECT_EQ(model["encoding"]["columns"][0]["categories"], Json::parse(R"(["a\nb","c \"d\""])"));
  refused({"train", "quoted.csv", "--target", "z", "-o", "x"}, {"quoted.csv", "na\\nme"});
}

TEST_F(Formats, LibsvmMayLeaveZerosOut) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += i % 2 == 0 ? fmt::format("+1 1:{} 3:0.5\n", i % 7) : fmt::format("-1 2:{}\n", 1 + i % 5);
  write("d.libsvm", text);
  EXPECT_LT(learned("d.libsvm"), 0.02);
  write("short.libsvm", "+1 1:3\n-1 2:1\n");
  EXPECT_EQ(ok({"predict", "run-d.libsvm/model.coppice", "short.libsvm"}).errors, "");
}

TEST_F(Formats, ArffDenseAndSparse) {
  std::string head =
      "% a comment\n@relation r\n@attribute size numeric\n@attribute 'the colour' {red, green}\n"
      "@attribute class {yes, no}\n@data\n";
  std::string dense = head;
  std::string sparse = head;
  for (int i = 0; i < 200; ++i) {
    const bool green = i % 3 == 0;
    dense += fmt::format("{},{},{}\n", i % 5, green ? "green" : "red", green ? "no" : "yes");
    sparse += fmt::format("{{0 {}{}{}}}\n", i % 5, green ? ", 1 green" : "", green ? ", 2 no" : "");
  }
  write("dense.arff", dense);
  write("sparse.arff", sparse);
  EXPECT_LT(learned("dense.arff"), 0.02);
  EXPECT_LT(learned("sparse.arff"), 0.02);
  EXPECT_EQ(read("run-dense.arff/model.coppice"), read("run-sparse.arff/model.coppice"));
}

TEST_F(Formats, AmatIsScaledTogether) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += fmt::format("{:.6f} {:.6f} 0.5 {:.4e}\n", i % 2 == 0 ? 0.1 : 0.9, 0.01 * (i % 9), i % 2 * 1.0);
  write("d.amat", text);
  EXPECT_LT(learned("d.amat"), 0.02);
  EXPECT_EQ(ok({"inspect", "run-d.amat/model.coppice", "--json"}).json()["encoding"]["scale"], "global");
}

TEST_F(Formats, AnIdxPairAndADirectoryOfFourFiles) {
  write("small-images-idx3-ubyte", idx_images(150));
  write("small-labels-idx1-ubyte", idx_labels(150));
  EXPECT_LT(learned("small-images-idx3-ubyte"), 0.05);
  const Json model = ok({"inspect", "run-small-images-idx3-ubyte/model.coppice", "--json"}).json();
  EXPECT_EQ(model["encoding"]["target"]["classes"], Json::parse(R"(["0","5","9"])"));
  EXPECT_EQ(model["encoding"]["scale"], "global");

  write("four/train-images-idx3-ubyte", idx_images(150));
  write("four/train-labels-idx1-ubyte", idx_labels(150));
  write("four/t10k-images-idx3-ubyte", idx_images(60));
  write("four/t10k-labels-idx1-ubyte", idx_labels(60));
  ok({"train", "four", "--max-epochs", "60", "-o", "run", "--quiet"});
  const Json net = read_json("run/summary.json")["nets"][0];
  EXPECT_LT(net["test_error"], 0.1);
  const Json metrics = ok({"evaluate", "run/model.coppice", "four", "--json"}).json();
  EXPECT_EQ(metrics["rows"], 60) << "the test part is evaluated";
  EXPECT_EQ(metrics["error"], net["test_error"]);
  std::filesystem::remove(path("four/t10k-labels-idx1-ubyte"));
  EXPECT_EQ(lines_of(ok({"predict", "run/model.coppice", "four/t10k-images-idx3-ubyte"}).out).size(), 61U);
}

TEST_F(Formats, GzipIsUnpacked) {
  write("d.csv", ring_csv(200));
  gzFile file = gzopen(path("packed.csv.gz").c_str(), "wb");
  const std::string text = ring_csv(200);
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  ok({"train", "d.csv", "--max-epochs", "3", "-o", "a", "--quiet"});
  ok({"train", "packed.csv.gz", "--max-epochs", "3", "-o", "b", "--quiet"});
  EXPECT_EQ(read("a/model.coppice"), read("b/model.coppice"));
}

TEST_F(Formats, Mnist) {
  if (const std::string why = no_mnist(); !why.empty()) GTEST_SKIP() << why;
  ok({"train", mnist_folder(), "--lambda", "3e-4", "--max-steps", "100", "--keep", "last", "-o", "run",
      "--quiet"});
  const Json net = read_json("run/summary.json")["nets"][0];
  EXPECT_LT(net["test_error"], 0.15) << "after two epochs";
  const Json model = ok({"inspect", "run/model.coppice", "--json"}).json();
  EXPECT_EQ(model["origin"]["train_rows"], 50000);
  EXPECT_EQ(model["origin"]["validation_rows"], 10000);
}

TEST_F(Formats, Latin1NamesCategoriesAndClassesBecomeUtf8) {
  std::string text =
      "gr\xF6\xDF"
      "e,farbe,klasse,Kunde\n";
  for (int i = 0; i < 120; ++i) {
    text += fmt::format("{},{},{},J\xFCrgen {}\n", i % 10, i % 2 == 0 ? "gr\xFCn" : "wei\xDF",
                        i % 2 == 0 ? "sch\xF6n" : "h\xE4sslich", i);
  }
  write("latin1.csv", text);
  ok({"train", "latin1.csv", "--target", "klasse", "--id", "Kunde", "--max-epochs", "40", "-o", "run",
      "--json"})
      .json();
  for (const char* file : {"run/config.json", "run/summary.json"})
    EXPECT_FALSE(read_json(file).is_discarded());
  const Json model = ok({"inspect", "run/model.coppice", "--json"}).json();
  EXPECT_EQ(model["encoding"]["target"]["classes"], Json::parse(R"(["hässlich","schön"])"));
  EXPECT_EQ(model["encoding"]["columns"][0]["name"], "größe");
  const Outcome predicted = ok({"predict", "run/model.coppice", "latin1.csv"});
  EXPECT_THAT(predicted.out,
              AllOf(HasSubstr("Kunde,prediction,probability_hässlich"), HasSubstr("Jürgen 7,")));
  // The same table in UTF-8 means the same.
  std::string utf8 = "größe,farbe,klasse,Kunde\n";
  for (int i = 0; i < 120; ++i) {
    utf8 += fmt::format("{},{},{},Jürgen {}\n", i % 10, i % 2 == 0 ? "grün" : "weiß",
                        i % 2 == 0 ? "schön" : "hässlich", i);
  }
  write("utf8.csv", utf8);
  EXPECT_EQ(ok({"predict", "run/model.coppice", "utf8.csv"}).out, predicted.out);
  EXPECT_EQ(ok({"evaluate", "run/model.coppice", "utf8.csv", "--json"}).json()["error"], 0);
  ok({"train", "utf8.csv", "--target", "klasse", "--id", "Kunde", "--max-epochs", "40", "-o", "utf8",
      "--quiet"});
  EXPECT_EQ(read("utf8/model.coppice"), read("run/model.coppice"));
  ok({"train", "latin1.csv", "--target", "klasse", "--ignore",
      "gr\xF6\xDF"
      "e,Kunde",
      "--max-steps", "1", "-o", "flag", "--quiet"});
  EXPECT_EQ(read_json("flag/config.json")["ignore"], Json::parse(R"(["größe","Kunde"])"));
}

TEST_F(Formats, Latin1InArffIsDeclaredAndFound) {
  std::string text =
      "@relation r\n@attribute gr\xF6\xDF"
      "e numeric\n@attribute class {sch\xF6n, alt}\n@data\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},{}\n", i, i < 30 ? "sch\xF6n" : "alt");
  write("d.arff", text);
  ok({"train", "d.arff", "--max-epochs", "3", "-o", "run", "--quiet"});
  const Json model = ok({"inspect", "run/model.coppice", "--json"}).json();
  EXPECT_EQ(model["encoding"]["target"]["classes"], Json::parse(R"(["schön","alt"])"))
      << "in the declared order";
}

TEST_F(Formats, AColumnOfNumbersWithManyCodesInItIsTextWithANote) {
  std::string text = "ticket,x,kind\n";
  for (int i = 0; i < 200; ++i) {
    const std::string ticket = i % 4 == 0 ? fmt::format("A/{}", i % 40) : std::to_string(1000 + i % 50);
    text += fmt::format("{},{},{}\n", ticket, i % 13, i % 2 == 0 ? "yes" : "no");
  }
  write("d.csv", text);
  const Outcome trained = ok({"train", "d.csv", "--target", "kind", "--max-epochs", "3", "-o", "run"});
  EXPECT_THAT(trained.errors, AllOf(HasSubstr("\"ticket\" is taken as text"), HasSubstr("\"A/0\"")));
  const Json model = ok({"inspect", "run/model.coppice", "--json"}).json();
  EXPECT_EQ(model["encoding"]["columns"][0]["kind"], "text");
}

}  // namespace
}  // namespace coppice::test
