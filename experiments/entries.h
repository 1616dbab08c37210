#pragma once

#include "experiments/session.h"

#include <string>
#include <string_view>
#include <vector>

namespace coppice::experiments {

struct StoredEntry;

/// A figure or table of the paper, or a point of ours, that can be made anew.
struct Entry {
  std::string_view name;
  std::string_view what;
  /// Trains what is needed and writes page, picture and data. MissingData if a data set is not there, Interrupted if
  /// the user ended it.
  void (*make)(const Session& session);
  /// Writes the page again from what is stored, its claims judged by the rules of today.
  void (*judge)(const Session& session, const StoredEntry& stored);
  bool needs_mnist = true;  ///< the one set that cannot be generated
  bool by_set = false;      ///< it does the same on several data sets, of which some can be asked for
  bool in_parts = false;    ///< and what a page lacks of a set can be trained alone
};

/// In the order in which they are made and listed.
const std::vector<Entry>& all_entries();

/// Those of a list of names, in the order of all_entries; "all" stands for all of them. Fails on other names.
std::vector<Entry> entries_named(const std::vector<std::string>& names);

void make_data(const Session& session);
void make_table1(const Session& session);
void make_figure3(const Session& session);
void make_figure4(const Session& session);
void make_figure5(const Session& session);
void make_table2(const Session& session);
void make_adarad_m(const Session& session);
void make_capnorm_output(const Session& session);
void make_scaling(const Session& session);
void make_grid(const Session& session);
void make_why(const Session& session);
void make_step(const Session& session);
void make_angle(const Session& session);
void make_settings(const Session& session);
void make_kinks(const Session& session);
void make_changes(const Session& session);
void make_theory(const Session& session);
void make_calibration(const Session& session);

void judge_data(const Session& session, const StoredEntry& stored);
void judge_table1(const Session& session, const StoredEntry& stored);
void judge_figure3(const Session& session, const StoredEntry& stored);
void judge_figure4(const Session& session, const StoredEntry& stored);
void judge_figure5(const Session& session, const StoredEntry& stored);
void judge_table2(const Session& session, const StoredEntry& stored);
void judge_adarad_m(const Session& session, const StoredEntry& stored);
void judge_capnorm_output(const Session& session, const StoredEntry& stored);
void judge_scaling(const Session& session, const StoredEntry& stored);
void judge_grid(const Session& session, const StoredEntry& stored);
void judge_why(const Session& session, const StoredEntry& stored);
void judge_step(const Session& session, const StoredEntry& stored);
void judge_angle(const Session& session, const StoredEntry& stored);
void judge_settings(const Session& session, const StoredEntry& stored);
void judge_kinks(const Session& session, const StoredEntry& stored);
void judge_changes(const Session& session, const StoredEntry& stored);
void judge_theory(const Session& session, const StoredEntry& stored);
void judge_calibration(const Session& session, const StoredEntry& stored);

}  // namespace coppice::experiments
