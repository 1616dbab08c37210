#pragma once

#include "tests/support.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coppice::test {

using Json = nlohmann::ordered_json;

inline const std::string hostile = "</script><img src=x onerror=alert(1)>";

/// How large a run to make up.
struct MadeUp {
  std::size_t nets = 3;
  std::size_t epochs = 60;
  std::size_t layers = 2;
  std::size_t born_per_epoch = 1;
  std::size_t start_units = 10;
};

/// Tests on run directories whose files are made up: such as a training run would write, of any length.
class RunDirectory : public Folder {
 protected:
  /// Everything but analysis.json.
  void write_run(const MadeUp& made) const {
    write("config.json", Json{{"data", "/data/" + hostile + ".csv"},
                              {"checksums", {{"data", "e5ebefc4"}}},
                              {"lambda", {0.1, 0.01}},
                              {"target", hostile},
                              {"version", "0.1.0"}}
                             .dump());
    Json nets = Json::array();
    for (std::size_t net = 0; net < made.nets; ++net) {
      nets.push_back({{"id", net},
                      {"lambda", 0.1 / static_cast<double>(net + 1)},
                      {"seed", net},
                      {"hidden_units", std::vector<std::size_t>(made.layers, 5 + net)},
                      {"parameters", 100 * (net + 1)},
                      {"train_loss", 0.3},
                      {"validation_error", 0.2 / static_cast<double>(net + 1)},
                      {"test_error", 0.21 / static_cast<double>(net + 1)},
                      {"epochs", made.epochs},
                      {"phase", "done"},
                      {"model", fmt::format("net-{}.coppice", net)}});
    }
    write_summary(nets);
    write("journal.jsonl", journal(made));
  }

  void write_summary(const Json& nets) const {
    write("summary.json", Json{{"nets", nets},
                               {"best", nets.size() - 1},
                               {"seconds", 12.5},
                               {"threads", 2},
                               {"device", "cpu"},
                               {"version", "0.1.0"}}
                              .dump());
  }

  std::string directory() const { return folder_.string(); }

 private:
  /// Units are born and half of them die thirty epochs later; lengths every ten epochs; one rewind near the end.
  static std::string journal(const MadeUp& made) {
    std::string text;
    for (std::size_t net = 0; net < made.nets; ++net) {
      std::size_t next = made.start_units;
      std::vector<std::vector<std::size_t>> alive(made.layers);
      for (auto& layer : alive) {
        for (std::size_t unit = 0; unit < made.start_units; ++unit) layer.push_back(unit);
      }
      for (std::size_t epoch = 1; epoch <= made.epochs; ++epoch) {
        add_epoch(text, made, net, epoch, next, alive);
      }
      text +=
          fmt::format("{{\"event\":\"end\",\"net\":{},\"epoch\":{},\"phase\":\"done\"}}\n", net, made.epochs);
    }
    return text;
  }

  static void add_epoch(std::string& text, const MadeUp& made, std::size_t net, std::size_t epoch,
                        std::size_t& next, std::vector<std::vector<std::size_t>>& alive) {
    const std::string where = fmt::format("\"net\":{},\"epoch\":{}", net, epoch);
    Json widths = Json::array();
    for (std::size_t layer = 0; layer < made.layers; ++layer) {
      for (std::size_t i = 0; i < made.born_per_epoch; ++i, ++next) {
        text += fmt::format("{{\"event\":\"born\",{},\"layer\":{},\"unit\":{}}}\n", where, layer + 1, next);
        alive[layer].push_back(next);
        if (alive[layer].size() < 200) continue;
        text += fmt::format("{{\"event\":\"died\",{},\"layer\":{},\"unit\":{}}}\n", where, layer + 1,
                            alive[layer][100]);
        alive[layer].erase(alive[layer].begin() + 100);
      }
      widths.push_back(alive[layer].size());
    }
    const double noise = std::sin(static_cast<double>(epoch * 7919 + net));
    text += fmt::format(
        "{{\"event\":\"epoch\",{},\"phase\":\"{}\",\"train_loss\":{},\"validation_error\":{},"
        "\"hidden_units\":{}}}\n",
        where, epoch * 2 < made.epochs ? "grow" : "settle", 0.3 + 1.0 / static_cast<double>(epoch),
        0.1 + 0.01 * noise, widths.dump());
    if (epoch % 10 == 0) add_lengths(text, where, alive);
    if (epoch + 5 == made.epochs) {
      text +=
          fmt::format("{{\"event\":\"rewind\",{},\"to_epoch\":{},\"phase\":\"settle\"}}\n", where, epoch - 3);
    }
  }

  static void add_lengths(std::string& text, const std::string& where,
                          const std::vector<std::vector<std::size_t>>& alive) {
    for (std::size_t layer = 0; layer < alive.size(); ++layer) {
      Json lengths = Json::array();
      for (const std::size_t unit : alive[layer]) lengths.push_back(1.0 / static_cast<double>(unit + 3));
      text +=
          fmt::format("{{\"event\":\"lengths\",{},\"layer\":{},\"units\":{},\"fan_in\":{},\"fan_out\":{}}}\n",
                      where, layer + 1, Json(alive[layer]).dump(), lengths.dump(), lengths.dump());
    }
  }
};

}  // namespace coppice::test
