#include "coppice/run/summary.h"

#include "coppice/api/choose.h"
#include "coppice/core/fail.h"
#include "coppice/core/names.h"
#include "coppice/core/text.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/layout.h"
#include "coppice/version.h"

#include <cmath>

namespace coppice {

namespace {

using Json = nlohmann::ordered_json;

Json points_json(const Summary& summary) {
  Json points = Json::array();
  for (const FrontPoint& point : points_of(summary)) {
    points.push_back({{"lambda", point.lambda},
                      {"kind", name_of(point.kind)},
                      {"nets", point.nets},
                      {"parameters", spread_json(point.parameters)},
                      {"validation_error", spread_json(point.validation_error)},
                      {"test_error", point.test_error ? spread_json(*point.test_error) : Json()}});
  }
  return points;
}

Json base_json(const Summary& summary) {
  if (!summary.base) return nullptr;
  return {
      {"answer", summary.base->answer}, {"error", summary.base->error}, {"log_loss", summary.base->log_loss}};
}

Json repetitions_json(const Summary& summary) {
  Json all = Json::array();
  for (const Repetition& one : summary.repetitions) {
    all.push_back({{"seed", one.seed},
                   {"parameters", one.parameters},
                   {"validation_error", one.validation_error},
                   {"test_error", or_null(one.test_error)}});
  }
  return all;
}

/// The field if it is there: runs of earlier versions lack some.
template <class T>
std::optional<T> field(const nlohmann::json& object, const char* name) {
  if (!object.contains(name) || object[name].is_null()) return std::nullopt;
  return object[name].get<T>();
}

std::optional<std::size_t> count_field(const nlohmann::json& object, const char* name) {
  if (!object.contains(name) || object[name].is_null()) return std::nullopt;
  return count_in(object[name]);
}

}  // namespace

std::string error_text(Task task, double error) {
  if (task == Task::classification || !std::isfinite(error)) return share_text(error);
  return fmt::format("{:.4g}", error);
}

std::string sizing_text(NetKind kind, double lambda) {
  return kind == NetKind::fixed && lambda == 0 ? "fixed" : fmt::format("{:.3g}", lambda);
}

Json spread_json(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

double number_or_nan(const nlohmann::json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

Json summary_json(const Summary& summary) {
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
                    {"log_loss", or_null(net.log_loss)},
                    {"log_loss_deviation", net.log_loss_deviation},
                    {"criterion", or_null(net.criterion)},
                    {"criterion_deviation", net.criterion_deviation},
                    {"test_error", or_null(net.test_error)},
                    {"epochs", net.epochs},
                    {"phase", net.phase},
                    {"warm_from", or_null(net.warm_from)},
                    {"refit", net.refit},
                    {"taught", net.taught},
                    {"dominated", net.dominated},
                    {"bytes", net.bytes},
                    {"flash", net.flash},
                    {"one_answer", net.one_answer},
                    {"bins", net.bins},
                    {"fold", net.fold},
                    {"members", net.members},
                    {"kind", name_of(net.kind)},
                    {"beginning", net.beginning},
                    {"inputs", net.inputs},
                    {"model", layout::net_model(net.id)}});
  }
  Json json{{"nets", nets},
            {"points", points_json(summary)},
            {"best", summary.best},
            {"chosen", or_null(summary.chosen)},
            {"pick",
             {{"rule", name_of(summary.pick)},
              {"max_parameters", or_null(summary.max_parameters)},
              {"max_bytes", or_null(summary.max_bytes)},
              {"for", name_of(summary.bytes_for)}}},
            {"metric", name_of(summary.metric)},
            {"ties", summary.break_ties ? "log-loss" : "parameters"},
            {"task", name_of(summary.task)},
            {"base_rate", base_json(summary)},
            {"seconds", summary.seconds},
            {"threads", summary.threads},
            {"device", name_of(summary.device)},
            {"version", version()}};
  if (!summary.repetitions.empty()) json["repetitions"] = repetitions_json(summary);
  return json;
}

Summary parse_summary(const nlohmann::json& json, const std::string& name) {
  try {
    Summary summary;
    for (const nlohmann::json& net : json.at("nets")) {
      NetResult result{
          .id = count_in(net.at("id")),
          .lambda = net.at("lambda"),
          .seed = count_in(net.at("seed")),
          .hidden_units = counts_in(net.at("hidden_units")),
          .parameters = count_in(net.at("parameters")),
          .train_loss = number_or_nan(net.at("train_loss")),
          .validation_error = number_or_nan(net.at("validation_error")),
          .standard_error = field<double>(net, "standard_error").value_or(std::nan("")),
          .log_loss = field<double>(net, "log_loss"),
          .log_loss_deviation = net.value("log_loss_deviation", 0.0),
          .criterion = field<double>(net, "criterion"),
          .criterion_deviation = field<double>(net, "criterion_deviation").value_or(std::nan("")),
          .test_error = field<double>(net, "test_error"),
          .epochs = count_in(net.at("epochs")),
          .phase = net.at("phase"),
          .warm_from = count_field(net, "warm_from"),
          .refit = net.value("refit", false),
          .taught = net.value("taught", false),
          .dominated = false,
          .bytes = count_field(net, "bytes").value_or(0),
          .flash = count_field(net, "flash").value_or(0),
          .one_answer = net.value("one_answer", false),
          .bins = net.value("bins", false),
          .fold = count_field(net, "fold").value_or(0),
          .members = counts_in(net.value("members", nlohmann::json::array())),
          .kind = from_name<NetKind>(net.value("kind", "")).value_or(NetKind::grown),
          .beginning = count_field(net, "beginning").value_or(0),
          .inputs = count_field(net, "inputs").value_or(0)};
      summary.nets.push_back(std::move(result));
    }
    summary.metric = from_name<Metric>(json.value("metric", "")).value_or(Metric::error);
    summary.break_ties = json.value("ties", "") == "log-loss";
    mark_dominated(summary);
    summary.best = count_in(json.at("best"));
    summary.chosen = json.contains("chosen") ? count_field(json, "chosen") : summary.best;
    if (json.contains("pick")) {
      const nlohmann::json& pick = json["pick"];
      summary.pick = from_name<Pick>(pick.value("rule", "")).value_or(Pick::best);
      summary.max_parameters = count_field(pick, "max_parameters");
      summary.max_bytes = count_field(pick, "max_bytes");
      summary.bytes_for = from_name<BytesFor>(pick.value("for", "")).value_or(BytesFor::model);
    }
    summary.task = from_name<Task>(json.value("task", "")).value_or(Task::classification);
    if (const auto base = field<nlohmann::json>(json, "base_rate")) {
      summary.base = BaseRate{.answer = base->at("answer"),
                              .error = number_or_nan(base->at("error")),
                              .log_loss = number_or_nan(base->at("log_loss"))};
    }
    for (const nlohmann::json& one : json.value("repetitions", nlohmann::json::array())) {
      summary.repetitions.push_back({.seed = count_in(one.at("seed")),
                                     .parameters = count_in(one.at("parameters")),
                                     .validation_error = number_or_nan(one.at("validation_error")),
                                     .test_error = field<double>(one, "test_error")});
    }
    summary.seconds = json.at("seconds");
    summary.threads = count_in(json.at("threads"));
    summary.device = from_name<Device>(json.value("device", "")).value_or(Device::cpu);
    if (summary.best >= summary.nets.size() || summary.chosen.value_or(0) >= summary.nets.size())
      fail_file("{}: names a net that it does not list", name);
    return summary;
  } catch (const nlohmann::json::exception&) {
    fail_file("{}: is not a summary that coppice wrote; run train again", name);
  }
}

}  // namespace coppice
