#include "coppice/run/summary.h"

#include "coppice/core/error.h"
#include "coppice/run/run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json spread_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

Json points_json(const Summary& summary) {
  Json points = Json::array();
  for (const FrontPoint& point : points_of(summary)) {
    points.push_back({{"lambda", point.lambda},
                      {"nets", point.nets},
                      {"parameters", spread_json(point.parameters)},
                      {"validation_error", spread_json(point.validation_error)},
                      {"test_error", point.test_error ? spread_json(*point.test_error) : Json()}});
  }
  return points;
}

/// The field if it is there: runs of earlier versions lack some.
template <class T>
std::optional<T> field(const nlohmann::json& object, const char* name) {
  if (!object.contains(name) || object[name].is_null()) return std::nullopt;
  return object[name].get<T>();
}

}  // namespace

Candidate candidate_of(const NetResult& net) {
  return {.error = net.validation_error,
          .standard_error = net.standard_error,
          .parameters = net.parameters,
          .bytes = net.bytes};
}

void mark_dominated(Summary& summary) {
  std::vector<Candidate> nets;
  for (const NetResult& net : summary.nets) nets.push_back(candidate_of(net));
  const std::vector<bool> beaten = dominated(nets);
  for (std::size_t i = 0; i < nets.size(); ++i) summary.nets[i].dominated = beaten[i];
}

std::vector<FrontPoint> points_of(const Summary& summary) {
  std::vector<FrontPoint> points;
  for (std::size_t i = 0; i < summary.nets.size(); ++i) {
    auto point = std::ranges::find(points, summary.nets[i].lambda, &FrontPoint::lambda);
    if (point == points.end()) {
      points.push_back({.lambda = summary.nets[i].lambda,
                        .nets = {},
                        .parameters = {},
                        .validation_error = {},
                        .test_error = std::nullopt});
      point = points.end() - 1;
    }
    point->nets.push_back(i);
  }
  for (FrontPoint& point : points) {
    std::vector<double> parameters;
    std::vector<double> errors;
    std::vector<double> tests;
    for (const std::size_t i : point.nets) {
      const NetResult& net = summary.nets[i];
      parameters.push_back(static_cast<double>(net.parameters));
      errors.push_back(net.validation_error);
      if (net.test_error) tests.push_back(*net.test_error);
    }
    point.parameters = spread_of(std::move(parameters));
    point.validation_error = spread_of(std::move(errors));
    if (!tests.empty()) point.test_error = spread_of(std::move(tests));
  }
  return points;
}

nlohmann::ordered_json summary_json(const Summary& summary) {
  Json nets = Json::array();
  for (const NetResult& net : summary.nets) {
    nets.push_back({{"id", net.id},
                    {"lambda", net.lambda},
                    {"seed", net.seed},
                    {"hidden_units", net.hidden_units},
                    {"parameters", net.parameters},
                    {"train_loss", net.train_loss},
                    {"validation_error", net.validation_error},
                    {"standard_error", net.standard_error},
                    {"test_error", or_null(net.test_error)},
                    {"epochs", net.epochs},
                    {"phase", net.phase},
                    {"warm_from", or_null(net.warm_from)},
                    {"dominated", net.dominated},
                    {"bytes", net.bytes},
                    {"model", net.model}});
  }
  const auto limit = [](std::size_t value) {
    return value == std::numeric_limits<std::size_t>::max() ? Json() : Json(value);
  };
  return {{"nets", nets},
          {"points", points_json(summary)},
          {"best", summary.best},
          {"chosen", or_null(summary.chosen)},
          {"pick",
           {{"rule", name_of(summary.pick)},
            {"max_parameters", limit(summary.budget.parameters)},
            {"max_bytes", limit(summary.budget.bytes)}}},
          {"task", name_of(summary.task)},
          {"seconds", summary.seconds},
          {"threads", summary.threads},
          {"device", name_of(summary.device)},
          {"version", version()}};
}

Summary parse_summary(const nlohmann::json& json, const std::string& name) {
  const auto number = [](const nlohmann::json& value) {
    return value.is_null() ? std::nan("") : value.get<double>();
  };
  try {
    Summary summary;
    for (const nlohmann::json& net : json.at("nets")) {
      NetResult result{.id = net.at("id"),
                       .lambda = net.at("lambda"),
                       .seed = net.at("seed"),
                       .hidden_units = net.at("hidden_units"),
                       .parameters = net.at("parameters"),
                       .train_loss = number(net.at("train_loss")),
                       .validation_error = number(net.at("validation_error")),
                       .standard_error = field<double>(net, "standard_error").value_or(std::nan("")),
                       .test_error = field<double>(net, "test_error"),
                       .epochs = net.at("epochs"),
                       .phase = net.at("phase"),
                       .warm_from = field<std::size_t>(net, "warm_from"),
                       .dominated = false,
                       .bytes = net.value("bytes", std::size_t{0}),
                       .model = net.at("model")};
      summary.nets.push_back(std::move(result));
    }
    mark_dominated(summary);
    summary.best = json.at("best");
    summary.chosen = json.contains("chosen") ? field<std::size_t>(json, "chosen") : summary.best;
    if (json.contains("pick")) {
      const nlohmann::json& pick = json["pick"];
      summary.pick = from_name<Pick>(pick.value("rule", "")).value_or(Pick::best);
      summary.budget.parameters = field<std::size_t>(pick, "max_parameters").value_or(Budget{}.parameters);
      summary.budget.bytes = field<std::size_t>(pick, "max_bytes").value_or(Budget{}.bytes);
    }
    summary.task = from_name<Task>(json.value("task", "")).value_or(Task::classification);
    summary.seconds = json.at("seconds");
    summary.threads = json.at("threads");
    summary.device = from_name<Device>(json.value("device", "")).value_or(Device::cpu);
    if (summary.best >= summary.nets.size() || summary.chosen.value_or(0) >= summary.nets.size())
      fail("{}: names a net that it does not list", name);
    return summary;
  } catch (const nlohmann::json::exception&) {
    fail("{}: is not a summary that coppice wrote; run train again", name);
  }
}

}  // namespace coppice
