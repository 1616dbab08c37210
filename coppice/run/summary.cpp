#include "coppice/core/error.h"
#include "coppice/model/names.h"
#include "coppice/run/run.h"

#include <cmath>

namespace coppice {

nlohmann::ordered_json summary_json(const Summary& summary) {
  using Json = nlohmann::ordered_json;
  Json nets = Json::array();
  for (const NetResult& net : summary.nets) {
    nets.push_back({{"id", net.id},
                    {"lambda", net.lambda},
                    {"seed", net.seed},
                    {"hidden_units", net.hidden_units},
                    {"parameters", net.parameters},
                    {"train_loss", net.train_loss},
                    {"validation_error", net.validation_error},
                    {"test_error", net.test_error ? Json(*net.test_error) : Json()},
                    {"epochs", net.epochs},
                    {"phase", net.phase},
                    {"model", net.model}});
  }
  return {{"nets", nets},
          {"best", summary.best},
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
                       .test_error = std::nullopt,
                       .epochs = net.at("epochs"),
                       .phase = net.at("phase"),
                       .model = net.at("model")};
      if (!net.at("test_error").is_null()) result.test_error = net.at("test_error").get<double>();
      summary.nets.push_back(std::move(result));
    }
    summary.best = json.at("best");
    summary.seconds = json.at("seconds");
    summary.threads = json.at("threads");
    summary.device = from_name<Device>(json.value("device", "")).value_or(Device::cpu);
    if (summary.best >= summary.nets.size()) fail("{}: names a best net that it does not list", name);
    return summary;
  } catch (const nlohmann::json::exception&) {
    fail("{}: is not a summary that coppice wrote; run train again", name);
  }
}

}  // namespace coppice
