#include "coppice/core/fail.h"
#include "coppice/run/follow.h"
#include "coppice/run/layout.h"

#include "cli/commands.h"
#include "cli/signals.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/watch_view.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

constexpr int tick = 100;          ///< milliseconds between looks at keys, signals and the terminal's size
constexpr int ticks_per_look = 5;  ///< at the files

nlohmann::json config_of(const std::string& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) {
    fail("{}: there is no such run; name the directory that train wrote (-o, or runs/NAME)", directory);
  }
  if (!fs::is_directory(status)) fail("{}: is a file; name the directory of a run", directory);
  if (fs::exists(layout::in(directory, layout::search), error)) {
    fail("{}: holds a search, and only a run can be watched; its nets so far are in {}", directory,
         layout::in(directory, layout::results));
  }
  const std::string path = layout::in(directory, layout::config);
  if (!fs::exists(path, error)) {
    fail("{}: is not a run (there is no {} in it); name the directory that train wrote", directory,
         layout::config);
  }
  return read_json(path);
}

/// A run directory and what is known of it so far.
class Watched {
 public:
  explicit Watched(const std::string& directory)
      : directory_(directory), state_(config_of(directory)), journal_(path(layout::journal)) {
    look();
  }

  const WatchState& state() const { return state_; }

  void look() {
    journal_.read([this] { state_.restart(); },
                  [this](std::string_view line) {
                    if (const auto event = journal::event_in(line)) state_.add(*event);
                  });
    std::error_code error;
    const std::string summary = path(layout::summary);
    const auto summarized = fs::last_write_time(summary, error);
    const bool there = !error;
    written_ = fs::last_write_time(path(fs::exists(path(layout::journal)) ? layout::journal : layout::config),
                                   error);
    // A run that is resumed keeps its old summary until it ends again.
    if (there && (state_.all_ended() || summarized >= written_)) {
      state_.finish(parse_summary(read_json(summary), summary));
    } else {
      state_.unfinish();
    }
  }

  /// Seconds since something was written, whole ones so that the picture changes seldom.
  double silence() const {
    const auto passed = std::chrono::duration<double>(fs::file_time_type::clock::now() - written_).count();
    return passed > 0 ? static_cast<double>(static_cast<long>(passed)) : 0;
  }

  std::string text(WatchLook look, bool colours) const {
    look.silence = silence();
    std::string text;
    for (const StyledLine& line : watch_lines(state_, directory_, look)) {
      if (!text.empty()) text += '\n';
      text += rendered(line, look.width, colours);
    }
    return text;
  }

 private:
  std::string path(const char* name) const { return layout::in(directory_, name); }

  std::string directory_;
  WatchState state_;
  FollowedFile journal_;
  fs::file_time_type written_;
};

/// Shows the run until it ends, a key or a signal says so. Returns the exit code.
int show(Watched& watched, bool colours) {
  catch_signals();
  const FullScreen screen;
  std::string drawn;
  TerminalSize size;
  for (int i = 0;; ++i) {
    const TerminalSize now = terminal_size();
    if (i % ticks_per_look == 0 || now != size) {
      if (i % ticks_per_look == 0) watched.look();
      const std::string text =
          watched.text({.width = now.width, .height = now.height, .silence = 0, .keys = true}, colours);
      if (text != drawn || now != size) screen.draw(text);
      drawn = text;
      size = now;
    }
    if (watched.state().summary()) return 0;
    const char key = screen.key(tick);
    if (caught_signal() != 0) return 128 + caught_signal();
    if (key == 'q' || key == 'Q') return 0;
  }
}

int watch(const std::string& directory) {
  Watched watched(directory);
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const bool colours = wants_colours();
  int code = 0;
  if (terminal && !watched.state().summary()) code = show(watched, colours);
  // What was seen last stays, below the command.
  fmt::print("{}\n", watched.text({.width = terminal_size().width, .height = 0, .silence = 0, .keys = false},
                                  colours));
  return code;
}

}  // namespace

Action add_watch(CLI::App& app) {
  CLI::App* command = app.add_subcommand("watch", "show a run live in the terminal, or how it ended");
  auto directory = std::make_shared<std::string>();
  command->add_option("RUN", *directory, "run directory")->required();
  return [directory] { return watch(*directory); };
}

}  // namespace coppice::cli
