#include "tests/cli/program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <random>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::test {

namespace {

namespace fs = std::filesystem;

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

int open_for_writing(const fs::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/// A name that no other call of this process has.
fs::path fresh_capture() {
  static int count = 0;
  return fs::temp_directory_path() / fmt::format("coppice-cli-capture-{}-{}", ::getpid(), ++count);
}

/// The same numbers with every standard library, unlike std::uniform_real_distribution.
double uniform(std::mt19937& random) {
  return static_cast<double>(random()) / 4294967296.0;
}

}  // namespace

Json Outcome::json() const {
  Json value = Json::parse(out, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << "not JSON: " << out;
  return value;
}

Started::Started(const fs::path& folder, const Arguments& arguments) {
  const std::string capture = fresh_capture().string();
  out_ = capture + ".out";
  errors_ = capture + ".err";
  std::vector<char*> argv{const_cast<char*>(COPPICE_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int out = open_for_writing(out_);
  const int errors = open_for_writing(errors_);
  id_ = ::fork();
  if (id_ == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(127);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::setenv("CUDA_VISIBLE_DEVICES", "", 1);  // the same nets on every machine; GPUs have tests of their own
    ::execv(COPPICE_PROGRAM, argv.data());
    ::_exit(127);
  }
  ::close(out);
  ::close(errors);
}

Started::~Started() {
  if (id_ > 0 && !status_) {
    ::kill(id_, SIGKILL);
    wait();
  }
  fs::remove(out_);
  fs::remove(errors_);
}

void Started::send(int signal) const {
  ::kill(id_, signal);
}

bool Started::pause() {
  if (ended()) return false;
  send(SIGSTOP);
  int status = 0;
  ::waitpid(id_, &status, WUNTRACED);
  if (WIFSTOPPED(status)) return true;
  status_ = status;
  return false;
}

bool Started::ended() {
  if (status_) return true;
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) == 0) return false;
  status_ = status;
  return true;
}

Outcome Started::wait() {
  if (!status_) {
    int status = 0;
    ::waitpid(id_, &status, 0);
    status_ = status;
  }
  const int code = WIFEXITED(*status_) ? WEXITSTATUS(*status_) : -WTERMSIG(*status_);
  return {code, read_bytes(out_), read_bytes(errors_)};
}

std::string mnist_folder() {
  return COPPICE_TEST_DATA "/mnist";
}

std::string no_mnist() {
#ifdef COPPICE_SANITIZED
  return "takes too long with sanitizers";
#else
  if (fs::is_directory(mnist_folder())) return "";
  return fmt::format("there is no MNIST at {}; configure with -DCOPPICE_TEST_DATA=DIR", mnist_folder());
#endif
}

void Program::SetUp() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::temp_directory_path() /
            fmt::format("coppice-cli-{}-{}-{}", info->test_suite_name(), info->name(), ::getpid());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void Program::TearDown() {
  fs::remove_all(folder_);
}

std::string Program::write(const std::string& name, std::string_view bytes) const {
  fs::create_directories(path(name).parent_path());
  std::ofstream(path(name), std::ios::binary) << bytes;
  return name;
}

std::string Program::read(const std::string& name) const {
  EXPECT_TRUE(exists(name)) << name << " was not written";
  return read_bytes(path(name));
}

std::map<std::string, std::string> Program::files() const {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    all[fs::relative(entry.path(), folder_).string()] =
        entry.is_regular_file() ? read_bytes(entry.path()) : "";
  }
  return all;
}

Outcome Program::call(const Arguments& arguments) const {
  return Started(folder_, arguments).wait();
}

Outcome Program::ok(const Arguments& arguments) const {
  Outcome outcome = call(arguments);
  EXPECT_EQ(outcome.code, 0) << ::testing::PrintToString(arguments) << "\n" << outcome.errors;
  return outcome;
}

void Program::refused(const Arguments& arguments, const std::vector<std::string>& parts) const {
  SCOPED_TRACE(::testing::PrintToString(arguments));
  const auto before = files();
  const Outcome outcome = call(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.errors;
  EXPECT_EQ(outcome.out, "");
  const std::vector<std::string> lines = lines_of(outcome.errors);
  ASSERT_EQ(lines.size(), 1U) << outcome.errors;
  EXPECT_THAT(lines[0], ::testing::StartsWith(fs::path(COPPICE_PROGRAM).filename().string() + ": "));
  for (const std::string& part : parts) EXPECT_THAT(lines[0], ::testing::HasSubstr(part));
  const auto after = files();
  EXPECT_EQ(after.size(), before.size()) << "files came or went";
  for (const auto& [name, bytes] : after) {
    const auto old = before.find(name);
    EXPECT_TRUE(old != before.end()) << name << " was created";
    EXPECT_TRUE(old == before.end() || old->second == bytes) << name << " was changed";
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(csv)) {
    std::istringstream stream(line);
    auto& row = rows.emplace_back();
    for (std::string cell; std::getline(stream, cell, ',');) row.push_back(cell);
  }
  return rows;
}

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string mixed_csv(std::size_t rows, unsigned seed, std::string_view delimiter) {
  std::mt19937 random(seed);
  const std::vector<std::string> colours{"red", "green", "dark blue"};
  std::string text = fmt::format("id{0}x{0}y{0}colour{0}kind\n", delimiter);
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = 2 * uniform(random) - 1;
    const double y = 2 * uniform(random) - 1;
    const std::size_t colour = random() % 3;
    const bool inside = x * x + y * y < 0.6;
    const std::string kind = inside == (colour != 0) ? "cat" : "dog";
    const bool missing = random() % 20 == 0;
    const char* marker = i % 2 == 0 ? "NA" : "";
    text += fmt::format("row-{1}{0}{2:.4f}{0}{3}{0}{4}{0}{5}\n", delimiter, i, x,
                        missing ? std::string(marker) : fmt::format("{:.4f}", y),
                        random() % 25 == 0 ? "?" : colours[colour], kind);
  }
  return text;
}

std::string ring_csv(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "x0,x1,label\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = 2 * uniform(random) - 1;
    const double y = 2 * uniform(random) - 1;
    text += fmt::format("{:.4f},{:.4f},{}\n", x, y, x * x + y * y < 0.6 ? 1 : 0);
  }
  return text;
}

std::string linear_csv(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "x0,x1,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = 2 * uniform(random) - 1;
    const double y = 2 * uniform(random) - 1;
    text += fmt::format("{:.4f},{:.4f},{:.5f}\n", x, y, 3 * x - 2 * y + 10);
  }
  return text;
}

}  // namespace coppice::test
