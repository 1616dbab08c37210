#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coppice::test {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

/// How a call of the program ended.
struct Outcome {
  int code = 0;  ///< exit code; negative: the signal that killed it
  std::string out;
  std::string errors;

  /// Standard output as JSON.
  Json json() const;
};

/// The built program, which sees no GPU, started in a directory and not yet waited for.
class Started {
 public:
  Started(const std::filesystem::path& folder, const Arguments& arguments);
  ~Started();
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  void send(int signal) const;
  /// Stops it until it is killed or continued; false if it has ended.
  bool pause();
  bool ended();
  Outcome wait();

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
  std::filesystem::path out_, errors_;
};

/// The folder of MNIST's four files.
std::string mnist_folder();
/// Why tests that need MNIST are skipped; empty if they are not.
std::string no_mnist();

/// Tests that call the built program in a directory of their own, which is removed at the end.
class Program : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  Json read_json(const std::string& name) const { return Json::parse(read(name)); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  /// Every file under the directory with its bytes: what a failing call must leave as it is.
  std::map<std::string, std::string> files() const;

  Outcome call(const Arguments& arguments) const;
  /// A call that must succeed.
  Outcome ok(const Arguments& arguments) const;
  /// A call that must fail as mistakes do: exit code 2, nothing on standard output, one line on standard
  /// error that holds every part, and no file created, changed or removed.
  void refused(const Arguments& arguments, const std::vector<std::string>& parts) const;

  std::filesystem::path folder_;
};

/// Lines without their ends.
std::vector<std::string> lines_of(const std::string& text);
/// The cells of plain csv text, without quotes.
std::vector<std::vector<std::string>> cells_of(const std::string& csv);
/// What two lists of arguments make together.
Arguments operator+(Arguments a, const Arguments& b);

/// A csv with two numbers that decide the class (ring or not), a text column and missing cells.
std::string mixed_csv(std::size_t rows, unsigned seed = 1, std::string_view delimiter = ",");
/// Two columns x0, x1 and the label (0 or 1) of a ring around the origin: no linear model can tell.
std::string ring_csv(std::size_t rows, unsigned seed = 1);
/// y = 3 x0 - 2 x1 + 10.
std::string linear_csv(std::size_t rows, unsigned seed = 1);

}  // namespace coppice::test
