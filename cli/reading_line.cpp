#include "cli/reading_line.h"

#include "cli/terminal/status_line.h"

#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

constexpr auto moment = std::chrono::seconds(1);

class ReadingLine {
 public:
  void show(const std::string& path, double share) {
    const auto now = std::chrono::steady_clock::now();
    if (path != path_) {
      path_ = path;
      begun_ = now;
    }
    if (share >= 1) return status_.reset();  // what is said next begins on a line of its own
    if (now - begun_ < moment) return;
    if (!status_) status_.emplace();
    if (status_->due()) status_->show(fmt::format("{} reading {}, {:.0f} %", bar(share), path, 100 * share));
  }

 private:
  std::string path_;
  std::chrono::steady_clock::time_point begun_;
  std::optional<StatusLine> status_;
};

}  // namespace

std::function<void(const std::string& path, double share)> reading_line() {
  return [line = std::make_shared<ReadingLine>()](const std::string& path, double share) {
    line->show(path, share);
  };
}

}  // namespace coppice::cli
