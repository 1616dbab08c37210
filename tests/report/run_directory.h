#pragma once

#include "coppice/run/journal.h"

#include "tests/support.h"

#include <cmath>
#include <cstdint>
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
  /// Units are born and die once there are many; lengths every ten epochs; one rewind near the end.
  static std::string journal(const MadeUp& made) {
    std::string text;
    for (std::size_t net = 0; net < made.nets; ++net) {
      auto next = static_cast<std::uint32_t>(made.start_units);
      std::vector<std::vector<std::uint32_t>> alive(made.layers);
      for (auto& layer : alive) {
        for (std::uint32_t unit = 0; unit < next; ++unit) layer.push_back(unit);
      }
      for (std::size_t epoch = 1; epoch <= made.epochs; ++epoch)
        add_epoch(text, made, net, epoch, next, alive);
      text += line_of(journal::End{.net = net, .epoch = made.epochs, .phase = Phase::done});
    }
    return text;
  }

  static void add_epoch(std::string& text, const MadeUp& made, std::size_t net, std::size_t epoch,
                        std::uint32_t& next, std::vector<std::vector<std::uint32_t>>& alive) {
    journal::Epoch trained{
        .net = net,
        .epoch = epoch,
        .phase = epoch * 2 < made.epochs ? Phase::grow : Phase::settle,
        .train_loss = 0.3 + 1.0 / static_cast<double>(epoch),
        .validation_error = 0.1 + 0.01 * std::sin(static_cast<double>(epoch * 7919 + net))};
    for (std::size_t layer = 0; layer < made.layers; ++layer) {
      std::vector<std::uint32_t>& units = alive[layer];
      const auto change = [&](bool born, std::uint32_t unit) {
        text += line_of(
            journal::UnitChange{.born = born, .net = net, .epoch = epoch, .layer = layer, .unit = unit});
      };
      for (std::size_t i = 0; i < made.born_per_epoch; ++i, ++next) {
        change(true, next);
        units.push_back(next);
        if (units.size() < 200) continue;
        change(false, units[100]);
        units.erase(units.begin() + 100);
      }
      trained.hidden_units.push_back(units.size());
    }
    text += line_of(trained);
    if (epoch % 10 == 0) add_lengths(text, trained, alive);
    if (epoch + 5 == made.epochs) {
      text +=
          line_of(journal::Rewind{.net = net, .epoch = epoch, .to_epoch = epoch - 3, .phase = Phase::settle});
    }
  }

  static void add_lengths(std::string& text, const journal::Epoch& at,
                          const std::vector<std::vector<std::uint32_t>>& alive) {
    for (std::size_t layer = 0; layer < alive.size(); ++layer) {
      std::vector<double> lengths;
      for (const std::uint32_t unit : alive[layer]) lengths.push_back(1.0 / (unit + 3));
      text += line_of(journal::Lengths{.net = at.net,
                                       .epoch = at.epoch,
                                       .layer = layer,
                                       .units = alive[layer],
                                       .fan_in = lengths,
                                       .fan_out = lengths});
    }
  }
};

}  // namespace coppice::test
