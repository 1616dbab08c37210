#include "coppice/report/page_model.h"

#include "coppice/core/names.h"
#include "coppice/data/orders.h"
#include "coppice/model/folding.h"
#include "coppice/model/parts.h"
#include "coppice/report/base64.h"
#include "coppice/report/record.h"

#include <algorithm>
#include <vector>

namespace coppice {

namespace {

Json column_of(const InputColumn& column) {
  if (column.kind == ColumnKind::text) return {{"name", column.name}, {"categories", column.categories}};
  Json json{{"name", column.name}, {"fill", column.fill}, {"indicator", column.indicator}};
  if (column.base != 0) json["base"] = column.base;
  if (column.squash.used())
    json["squash"] = {column.squash.median, column.squash.factor, column.squash.limit};
  json["edges"] = base64(column.edges);
  return json;
}

/// Which of the words of an order each text is.
Json ranks_of(const Derived& derived, const std::vector<std::string>& texts) {
  Json ranks = Json::object();
  for (const std::string& text : texts) {
    const auto found = std::ranges::find(derived.order, plain_words(text));
    if (found != derived.order.end()) ranks[text] = found - derived.order.begin();
  }
  return ranks;
}

Json derived_of(const Derived& derived, const Encoding& encoding, const Json& typical) {
  Json json{{"source", derived.source},
            {"kind", name_of(derived.kind)},
            {"origin", derived.origin},
            {"names", derived.names()}};
  if (derived.kind != DerivedKind::rank) return json;
  std::vector<std::string> texts;
  for (const InputColumn& column : encoding.columns)
    if (column.name == derived.source) texts = column.categories;
  for (const Json& column : typical) {
    if (text_at(column, "column") != derived.source) continue;
    for (const Json& value : member(column, "values"))
      if (value.is_string()) texts.push_back(value.get<std::string>());
  }
  json["ranks"] = ranks_of(derived, texts);
  return json;
}

/// y = w.x - mean, layer by layer. A plain net takes the inputs that are not bins.
Json net_of(const ModelNet& net) {
  const FoldedNet folded = fold(net.network, net.statistics);
  Json layers = Json::array();
  for (std::size_t l = 0; l < folded.network.layers.size(); ++l) {
    const Matrix<float>& weights = folded.network.layers[l].weights;
    std::vector<float> all;
    for (std::size_t j = 0; j < weights.rows(); ++j)
      all.insert(all.end(), weights.row(j).begin(), weights.row(j).end());
    layers.push_back({{"weights", base64(all)}, {"mean", base64(folded.statistics.mean[l])}});
  }
  return {{"plain", net.plain}, {"offset", base64(folded.network.offset)}, {"layers", layers}};
}

}  // namespace

Json page_model(const Model& model, const Json& typical) {
  const ModelParts& parts = model.parts();
  const Encoding& encoding = parts.encoding;
  const TargetColumn& target = encoding.target;
  Json json{{"target", target.name},
            {"classes", target.classes},
            {"temperature", parts.temperature},
            {"activation", name_of(model.activation())},
            {"mean", target.mean},
            {"deviation", target.deviation},
            {"log", target.transform == TargetTransform::log},
            {"columns", Json::array()},
            {"derived", Json::array()},
            {"offset", base64(encoding.offset)},
            {"factor", base64(encoding.factor)},
            {"nets", Json::array()}};
  for (const InputColumn& column : encoding.columns) json["columns"].push_back(column_of(column));
  for (const Derived& derived : encoding.derived)
    json["derived"].push_back(derived_of(derived, encoding, typical));
  for (std::size_t n = 0; n < parts.nets(); ++n) json["nets"].push_back(net_of(parts.net(n)));
  return json;
}

}  // namespace coppice
