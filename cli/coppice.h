#pragma once

namespace coppice::cli {

/// The program: reads the command line and does what it says; returns the exit code.
int run_coppice(int argc, char** argv);

}  // namespace coppice::cli
