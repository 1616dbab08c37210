#pragma once

#include "coppice/api/result.h"

#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coppice::test {

/// The models of all nets, as files.
inline std::vector<std::string> bytes_of(const Result& result) {
  std::vector<std::string> all;
  for (const Model& model : result.models) all.push_back(model.bytes());
  return all;
}

/// Writes down who calls and what for.
struct Witness : Observer {
  void on_begin(const TrainingInfo& info) override {
    see("begin");
    begun = info;
  }
  void on_epoch(const EpochReport& epoch) override {
    see("epoch");
    epochs.push_back(epoch);
  }
  void on_note(const std::string& note) override {
    see("note");
    notes.push_back(note);
  }
  void see(const std::string& what) {
    calls.push_back(what);
    threads.insert(std::this_thread::get_id());
  }

  std::vector<std::string> calls;
  std::set<std::thread::id> threads;
  TrainingInfo begun;
  std::vector<EpochReport> epochs;
  std::vector<std::string> notes;
};

}  // namespace coppice::test
