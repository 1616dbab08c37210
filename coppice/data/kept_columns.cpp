#include "coppice/data/kept_columns.h"

#include "coppice/data/target.h"

namespace coppice {

KeptColumns::KeptColumns(const ReadHints& hints, const std::optional<std::string>& target)
    : others_(hints.skip_others ? Kept::nothing : Kept::best) {
  for (const std::string& name : hints.skip) named_.emplace(name, Kept::nothing);
  for (const std::string& name : hints.texts) named_.emplace(name, Kept::text);
  for (const std::string& name : hints.numbers) named_.emplace(name, Kept::number);
  if (target && others_ == Kept::best) named_.emplace(*target, Kept::classes);
}

Kept KeptColumns::of(const std::string& name) const {
  const auto found = named_.find(name);
  if (found != named_.end()) return found->second;
  return others_ == Kept::best && is_usual_target(name) ? Kept::classes : others_;
}

}  // namespace coppice
