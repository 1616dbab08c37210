#pragma once

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/search/side_by_side.h"

#include "experiments/datasets.h"
#include "experiments/page.h"
#include "experiments/so_far.h"
#include "experiments/stored.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

// Entries that do the same on several data sets, one after the other or side by side.
namespace coppice::experiments {

/// A data set that an entry may be asked for.
template <class Task>
struct SetChoice {
  std::string name;   ///< for --sets, and of its data: "mnist"
  std::string title;  ///< on the page: "MNIST"
  std::function<Task()> make;
};

/// An entry whose page is about some sets. A Task has the DataFiles `data`, a Set the name `title`.
template <class Task, class Set>
struct SetsEntry {
  std::string name;
  std::vector<SetChoice<Task>> choices;
  std::size_t most;  ///< so many of them, if the call names none
  /// Runs of a lower rank come before others. Where it throws Interrupted, `so_far` is what can be shown all the same.
  void (*train)(const Session& session, const Task& task, std::size_t rank, SoFar<Set>& so_far);
  EntryPage (*page)(const Session& session, const std::vector<Set>& sets);
  Rows (*rows)(const std::vector<Set>& sets);
  std::vector<Set> (*stored)(const StoredEntry& stored);
  Svg (*draw)(const std::vector<Set>& sets);
};

/// Fails on sets that the entry does not know.
template <class Task>
void check_sets(const Session& session, const std::string& entry,
                const std::vector<SetChoice<Task>>& choices) {
  std::vector<std::string> known;
  for (const auto& choice : choices) known.push_back(choice.name);
  for (const std::string& name : session.sets) {
    if (std::ranges::count(known, name) == 0)
      fail("--sets {}: {} has no such set; those it has are: {}", cited(name), entry, listed(known, 20));
  }
}

/// One of the sets of a page.
template <class Task, class Set>
struct SetOnPage {
  std::optional<Task> task = {};  ///< to be trained in this call
  SoFar<Set> so_far = {};
  std::vector<DataFiles> data = {};
};

/// What the page in the output folder has of sets that this call does not train, or whose missing parts it trains; nothing
/// if there is no page. Returns the calls that it came from.
template <class Task, class Set>
std::vector<std::string> add_stored(const Session& session, const SetsEntry<Task, Set>& entry,
                                    std::vector<SetOnPage<Task, Set>>& sets) {
  Session earlier;
  earlier.out = session.out;
  StoredEntry stored;
  try {
    stored = read_stored(earlier, entry.name);
  } catch (const MissingData&) {
    return {};
  }
  if (earlier.scale != session.scale)
    fail("--add: {}.md in {} was made with --scale {}; choose another -o", entry.name, session.out,
         earlier.scale);
  for (const Set& set : entry.stored(stored)) {
    const auto choice = std::ranges::find(entry.choices, set.title, &SetChoice<Task>::title);
    if (choice == entry.choices.end()) continue;
    SetOnPage<Task, Set>& place = sets[static_cast<std::size_t>(choice - entry.choices.begin())];
    if (place.task && !session.missing) continue;
    place.so_far.set = set;
    std::ranges::copy_if(stored.provenances, std::back_inserter(place.so_far.made),
                         [&](const Provenance& one) {
                           return one.name.starts_with(fmt::format("{}-{}-", entry.name, choice->name));
                         });
    if (!place.task) place.data = {stored.data_of(choice->name)};
  }
  std::vector<std::string> calls = stored.before;
  const std::string last = earlier.command(entry.name);
  if (last != session.command(entry.name)) calls.push_back(last);
  return calls;
}

template <class Task, class Set>
void write_sets(const Session& session, const SetsEntry<Task, Set>& entry,
                const std::vector<SetOnPage<Task, Set>>& sets, const std::vector<std::string>& before) {
  std::vector<Set> done;
  std::vector<Provenance> made;
  std::vector<DataFiles> data;
  for (const auto& one : sets) {
    if (!one.so_far.set) continue;
    done.push_back(*one.so_far.set);
    made = made + one.so_far.made;
    data = data + one.data;
  }
  const Rows rows = entry.rows(done);
  // Numbers as they are stored, so that a page judged again is the same, and its picture.
  const std::vector<Set> stored = entry.stored({.rows = rows});
  EntryPage page = entry.page(session, stored);
  page.provenances = made;
  page.data = data;
  page.before = before;
  write_entry(session, page, rows, entry.draw(stored));
}

/// Trains the sets that the call asks for and whose data is there, and writes the page after each of them: a call that is
/// interrupted leaves what it finished.
template <class Task, class Set>
void make_by_set(const Session& session, const SetsEntry<Task, Set>& entry) {
  check_sets(session, entry.name, entry.choices);
  std::vector<SetOnPage<Task, Set>> sets(entry.choices.size());
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& choice = entry.choices[i];
    const bool wanted =
        session.sets.empty() ? asked.size() < entry.most : std::ranges::count(session.sets, choice.name) > 0;
    if (!wanted) continue;
    try {
      sets[i].task = choice.make();
      sets[i].data = {sets[i].task->data};
      asked.push_back(i);
    } catch (const MissingData& error) {
      session.say(fmt::format("{}: left out: {}", entry.name, error.what()));
    }
  }
  const std::vector<std::string> before =
      session.add ? add_stored(session, entry, sets) : std::vector<std::string>{};
  std::mutex mutex;
  side_by_side(asked.size(), session.lanes->count() > 1 ? asked.size() : 1, [&](std::size_t rank) {
    auto& place = sets[asked[rank]];
    SoFar<Set> so_far = place.so_far;
    bool interrupted = false;
    try {
      entry.train(session, *place.task, rank, so_far);
    } catch (const Interrupted&) {
      interrupted = true;
    }
    const std::scoped_lock lock(mutex);
    place.so_far = std::move(so_far);
    if (place.so_far.set) write_sets(session, entry, sets, before);
    if (interrupted) throw Interrupted();
    return true;
  });
}

template <class Task, class Set>
void judge_by_set(const Session& session, const StoredEntry& stored, const SetsEntry<Task, Set>& entry) {
  const std::vector<Set> sets = entry.stored(stored);
  EntryPage page = entry.page(session, sets);
  page.provenances = stored.provenances;
  page.data = stored.data;
  page.version = stored.version;
  page.before = stored.before;
  write_picture(session, entry.name, entry.draw(sets));
  write_page(session, page);
}

}  // namespace coppice::experiments
