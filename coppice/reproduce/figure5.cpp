#include "coppice/reproduce/analysed_run.h"
#include "coppice/reproduce/entries.h"
#include "coppice/reproduce/lives_picture.h"
#include "coppice/reproduce/page.h"
#include "coppice/reproduce/picture.h"

namespace coppice::reproduce {

void make_figure5(const Session& session) {
  const AnalysedRun run = train_analysed(session);
  const std::vector<Life>& lives = run.history.lives.layer(1);
  const Spread lived = spread_of(epochs_lived(lives, Fate::died));
  const Survival survival = survival_of(lives, session.counts.epochs);
  const auto lifetime = static_cast<double>(session.counts.unit_lifetime);
  Page page{.name = "figure5",
            .title = "Figure 5: how long the second layer's units were there",
            .introduction =
                "The same run as in [figure 4](figure4.md). One bar per unit of the second hidden layer.",
            .origins = {run.nets.origin},
            .data = {run.data}};
  page.claims.push_back(
      {"as in the first layer, units are the more likely to stay the earlier they are added",
       fmt::format("of those added in the first fifth {:.1f} % stay, of the last fifth {:.1f} %",
                   100 * survival.early, 100 * survival.late),
       survival.early > survival.late});
  page.claims.push_back({fmt::format("units that do not stay are gone after about {} epochs (here: the "
                                     "median is within a quarter of it)",
                                     session.counts.unit_lifetime),
                         fmt::format("median {:.0f} epochs", lived.median),
                         lived.median > 0.75 * lifetime && lived.median < 1.25 * lifetime});
  std::vector<std::vector<std::string>> rows{{"panel", "series", "x", "y"}};
  for (auto& row : lives_rows("lives", lives)) rows.push_back(std::move(row));
  const Svg picture = lives_picture("epochs that units of the second layer lived", lives,
                                    2 * session.counts.epochs, 560, 360);
  write_entry(session, page, csv_text(rows), picture.file(picture_style()));
}

}  // namespace coppice::reproduce
