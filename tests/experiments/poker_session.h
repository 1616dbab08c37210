#pragma once

#include "experiments/session.h"
#include "tests/support.h"

#include <string>

namespace coppice::test {

/// A session of scale small with few poker hands, on one thread; keeps what is said.
class PokerSession : public Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    session.counts = experiments::counts_of("small");
    session.counts.poker_rows = 400;
    session.counts.poker_validation = 200;
    session.counts.poker_test = 200;
    session.work = path("work");
    session.threads = 1;
    session.device = Device::cpu;
    session.say = [this](const std::string& text) { said += text + "\n"; };
  }
  experiments::Session session;
  std::string said;
};

}  // namespace coppice::test
