#include "coppice/model/model.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace coppice {

struct Model::Shared {
  ModelParts parts;
  std::vector<FoldedNet> folded;
};

namespace {

std::vector<FoldedNet> folded_nets(const ModelParts& parts) {
  std::vector<FoldedNet> nets;
  for (std::size_t n = 0; n < parts.nets(); ++n) {
    const ModelNet& net = parts.net(n);
    nets.push_back(fold(net.network, net.statistics));
    if (net.plain) widen(nets.back().network, parts.encoding.plain_inputs(), parts.encoding.inputs());
  }
  return nets;
}

}  // namespace

Model::Model(ModelParts parts, std::vector<FoldedNet> folded)
    : shared_(std::make_shared<Shared>(Shared{std::move(parts), std::move(folded)})) {}

Model::Model(ModelParts parts) {
  std::vector<FoldedNet> folded = folded_nets(parts);
  *this = Model(std::move(parts), std::move(folded));
}

Model Model::load(const std::string& path) {
  return from_bytes(read_model_file(path), path);
}

Model Model::from_bytes(std::string_view bytes, const std::string& name) {
  return Model(parse_model(bytes, name));
}

std::string Model::bytes() const {
  return model_bytes(parts());
}

void Model::save(const std::string& path) const {
  write_file(path, bytes());
}

const ModelParts& Model::parts() const {
  return shared_->parts;
}

const std::vector<FoldedNet>& Model::folded() const {
  return shared_->folded;
}

Task Model::task() const {
  return parts().encoding.task;
}

const std::string& Model::target() const {
  return parts().encoding.target.name;
}

const std::vector<std::string>& Model::classes() const {
  return parts().encoding.target.classes;
}

std::vector<ModelColumn> Model::columns() const {
  std::vector<ModelColumn> columns;
  const Encoding& encoding = parts().encoding;
  std::vector<std::string> made;
  for (const Derived& derived : encoding.derived) {
    std::ranges::move(derived.names(), std::back_inserter(made));
    if (derived.kind != DerivedKind::rank)
      columns.push_back({.name = derived.source, .kind = ColumnKind::text, .categories = {}});
  }
  for (const InputColumn& column : encoding.columns) {
    if (std::ranges::find(made, column.name) != made.end()) continue;
    columns.push_back({.name = column.name, .kind = column.kind, .categories = column.categories});
  }
  return columns;
}

const std::vector<std::string>& Model::ids() const {
  return parts().encoding.ids;
}

std::size_t Model::inputs() const {
  return parts().encoding.inputs();
}

std::vector<std::string> Model::input_names() const {
  return parts().encoding.input_names();
}

std::size_t Model::nets() const {
  return parts().nets();
}

std::vector<std::size_t> Model::hidden_units(std::size_t net) const {
  if (net >= nets()) fail("the model has {} net{}; there is no net {}", nets(), nets() == 1 ? "" : "s", net);
  return parts().net(net).network.hidden_units();
}

std::size_t Model::parameters() const {
  std::size_t sum = 0;
  for (std::size_t n = 0; n < nets(); ++n) sum += parts().net(n).network.parameters();
  return sum;
}

Activation Model::activation() const {
  return parts().network.activation;
}

double Model::temperature() const {
  return parts().temperature;
}

const ModelOrigin& Model::origin() const {
  return parts().origin;
}

double Model::highest_interval() const {
  return parts().conformity.highest_level();
}

}  // namespace coppice
