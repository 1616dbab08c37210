#include "coppice/run/trained_net.h"

#include "coppice/core/bytes.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/run/checkpoint.h"

#include <utility>

namespace coppice {

namespace {

constexpr std::string_view net_magic = "COPPICE-NET-1\n";

void put_epoch(ByteWriter& to, const EpochReport& report) {
  to.put<std::uint64_t>(report.epoch);
  to.put<std::uint64_t>(report.steps);
  to.put(report.phase);
  to.put(report.train_loss);
  to.put(report.validation_error);
  to.put(report.lambda);
  to.put(report.hidden_units);
  to.put(report.running);
  to.put(report.waited);
  to.put(report.patience);
  to.put(report.to_go);
}

EpochReport get_epoch(ByteReader& from) {
  EpochReport report;
  report.epoch = from.get<std::uint64_t>();
  report.steps = from.get<std::uint64_t>();
  report.phase = from.get<Phase>();
  if (report.phase > Phase::failed) from.truncated();
  report.train_loss = from.get<double>();
  report.validation_error = from.get<double>();
  report.lambda = from.get<double>();
  report.hidden_units = from.get_vector<std::size_t>();
  report.running = from.get<bool>();
  report.waited = from.get<double>();
  report.patience = from.get<double>();
  report.to_go = from.get<double>();
  return report;
}

}  // namespace

std::string trained_net_bytes(const NetRun& run, const std::vector<EpochReport>& epochs,
                              std::uint32_t settings) {
  ByteWriter body;
  body.put(settings);
  body.put<std::uint64_t>(run.id);
  body.put<std::uint64_t>(epochs.size());
  for (const EpochReport& report : epochs) put_epoch(body, report);
  body.bytes() += checkpoint_bytes(run, settings);
  ByteWriter all;
  all.bytes() += net_magic;
  all.put(checksum(body.bytes()));
  all.bytes() += body.bytes();
  return std::move(all.bytes());
}

TrainedNetBytes read_trained_net(std::string_view bytes, std::uint32_t settings) {
  if (!bytes.starts_with(net_magic))
    fail("the bytes are no net that this version of coppice trained; give what it was handed");
  ByteReader from(bytes.substr(net_magic.size()), "the net");
  const auto sum = from.get<std::uint32_t>();
  if (sum != checksum(bytes.substr(bytes.size() - from.left()))) from.truncated();
  if (from.get<std::uint32_t>() != settings)
    fail("the net was trained on other data or with other settings; give all who train the same");
  TrainedNetBytes net;
  net.net = from.get<std::uint64_t>();
  const auto count = from.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    net.epochs.push_back(get_epoch(from));
    net.epochs.back().net = net.net;
  }
  net.checkpoint = bytes.substr(bytes.size() - from.left());
  return net;
}

}  // namespace coppice
