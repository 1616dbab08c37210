#pragma once

#include "coppice/ranks/messenger.h"
#include "coppice/ranks/wire.h"
#include "coppice/run/run_options.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The files of a run, from rank 0 to the others: byte for byte, so that all of them read the same.
namespace coppice {

/// A file that a run reads.
struct SentFile {
  std::string path;  ///< where it lies
  std::string name;  ///< where it is put, relative to a directory
};

/// All of them, and in `options` the names in place of the paths.
std::vector<SentFile> files_to_send(RunOptions& options);

/// Sends them to all other ranks, in parts. `stop` may end it, with an error of kind interrupted.
void send_files(Messenger& messenger, const std::vector<SentFile>& files, const std::function<bool()>& stop);

/// A directory of its own for what comes, removed with all that is in it.
class Received {
 public:
  Received();
  ~Received();
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;

  void take(const FilePart& part) const;
  /// The names that files_to_send() gave become paths.
  void locate(RunOptions& options) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace coppice
