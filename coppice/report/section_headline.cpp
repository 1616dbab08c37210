#include "coppice/report/section.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace coppice {

namespace {

/// "hidden layers of 61 and 11 units".
std::string widths_text(const NetResult& net) {
  if (net.hidden_units.empty()) return "no hidden layer";
  std::string text;
  for (std::size_t l = 0; l < net.hidden_units.size(); ++l) {
    if (l > 0) text += l + 1 == net.hidden_units.size() ? " and " : ", ";
    text += count_text(net.hidden_units[l]);
  }
  const bool one = net.hidden_units.size() == 1;
  return fmt::format("{} of <em>{}</em> units", one ? "a hidden layer" : "hidden layers", text);
}

std::string tile(const std::string& value, const std::string& name, const std::string& note = "") {
  return fmt::format("<div class=\"tile{}\"><b>{}</b><span>{}</span><small>{}</small></div>",
                     value.size() > 9 ? " long" : "", escaped(value), escaped(name), escaped(note));
}

/// What always answering the most frequent class comes to, on the rows of the analysis where it tells.
double base_error(const RunRecord& run) {
  double all = 0;
  double usual = std::nan("");
  for (const Json& entry : member(run.analysis, "per_class")) {
    all += number_at(entry, "rows");
    if (text_at(entry, "class") == run.base->answer) usual = number_at(entry, "rows");
  }
  const double share = 1 - usual / std::max(all, number_at(run.analysis, "n"));
  return std::isfinite(share) ? share : run.base->error;
}

/// "; always answering “no” would get 14.10 % wrong".
std::string base_text(const RunRecord& run) {
  if (!run.classifies()) return "; always answering their mean would leave all of it";
  if (!run.base) return "";
  return fmt::format("; always answering “{}” would get {} wrong", escaped(run.base->answer),
                     share_text(base_error(run)));
}

/// In red: a model that gives one answer.
std::string alarm(const RunRecord& run) {
  const NetResult& net = run.chosen_net();
  if (!net.one_answer && member(run.analysis, "one_answer") != true) return "";
  const bool ranks = run.classifies() && run.base && tells_rows_apart(net, *run.base);
  if (ranks && !nothing_matters(run)) {
    return "<p class=\"alarm\">The model gives every row the same class. Its probabilities do tell rows "
           "apart: rank "
           "rows by them, or set a threshold.</p>";
  }
  return "<p class=\"alarm\">The model says the same of every row: it has learned nothing. Look for columns "
         "or rows "
         "that tell more.</p>";
}

std::string sentence(const RunRecord& run) {
  const NetResult& net = run.chosen_net();
  const double error = net.test_error.value_or(net.validation_error);
  const char* rows = net.test_error ? "test" : "validation";
  const double base = !run.classifies() ? 1 : run.base ? base_error(run) : HUGE_VAL;
  const char* style = error >= base - 1e-9 ? " class=\"worse\"" : "";
  std::string what = "gave no finite error";
  if (std::isfinite(error)) {
    what = run.classifies()
               ? fmt::format("gets <em{}>{}</em> of the {} rows wrong", style, share_text(error), rows)
               : fmt::format("leaves <em{}>{}</em> of the target’s variance unexplained on the {} rows",
                             style, share_text(error), rows);
    what += base_text(run);
  }
  return fmt::format("<p class=\"lead\">The model {}.</p>", what);
}

/// What the model is made of.
std::string made_of(const NetResult& net) {
  if (!net.members.empty()) {
    return fmt::format(
        "<p class=\"made\">It is the average of <em>{}</em> networks with <em>{}</em> parameters in all.</p>",
        net.members.size(), count_text(net.parameters));
  }
  return fmt::format("<p class=\"made\">It is a network with {} and <em>{}</em> parameters{}.</p>",
                     widths_text(net), count_text(net.parameters),
                     net.taught ? ", taught by an average of networks" : "");
}

/// What else tells how good it is, on the rows of the analysis.
std::string more_tiles(const RunRecord& run) {
  const Json& metrics = member(run.analysis, "metrics");
  if (!metrics.is_object()) return "";
  const std::string rows = text_at(run.analysis, "rows") + " rows";
  if (!run.classifies())
    return tile(number_text(number_at(metrics, "rmse")), "root mean square error", rows) +
           tile(number_text(number_at(metrics, "mae")), "mean distance", rows);
  const double area = number_at(metrics, "auc");
  return tile(number_text(number_at(metrics, "log_loss")), "log-loss", rows) +
         (std::isfinite(area) ? tile(area_text(area), "AUC", rows) : "");
}

/// ", with at most 5,000 parameters, in at most 20 kB".
std::string budget_text(const RunRecord& run) {
  const Json& pick = member(run.summary, "pick");
  const double parameters = number_at(pick, "max_parameters");
  const double bytes = number_at(pick, "max_bytes");
  std::string text;
  if (std::isfinite(parameters)) text += fmt::format(", with at most {} parameters", count_text(parameters));
  if (std::isfinite(bytes)) text += fmt::format(", in at most {}", bytes_text(bytes));
  return text;
}

std::string choice_text(const RunRecord& run) {
  if (!run.fits) {
    return fmt::format(
        "No net keeps the budget{}: there is no model.coppice, and this page shows the best net.",
        budget_text(run));
  }
  if (run.nets.size() == 1) return "One net was trained.";
  const std::string rule = text_at(member(run.summary, "pick"), "rule");
  std::string text = fmt::format("Chosen out of {} nets", run.nets.size());
  if (rule == "smallest") {
    text += " as the smallest whose validation error is within one standard error of the best";
  } else if (rule == "knee") {
    text += " at the knee of the front, where more parameters stop paying";
  } else {
    text +=
        run.chosen_net().taught ? " for its validation error, the lowest. The error is that of each row by a "
                                  "teacher that did not learn "
                                  "from it, and what the net answers worse than its teachers do"
        : run.chosen_net().members.empty()
            ? " for its validation error, the lowest"
            : ": on every fold of the rows the net of the lowest validation error. The error is that of each "
              "row by a net that did not learn from it; together they do better";
  }
  return text + budget_text(run) + ".";
}

}  // namespace

std::string headline_html(const RunRecord& run) {
  const NetResult& net = run.chosen_net();
  std::string html = sentence(run) + alarm(run) + made_of(net);
  html += "<div class=\"tiles\">";
  if (net.test_error) html += tile(error_text(run.task, *net.test_error), "test error");
  html += tile(error_text(run.task, net.validation_error), "validation error",
               std::isfinite(net.standard_error) ? "± " + error_text(run.task, net.standard_error) : "");
  html += more_tiles(run);
  html += tile(count_text(net.parameters), "parameters");
  html += tile(units_text(net), net.members.empty() ? "hidden units" : "averaged", lambda_text(net));
  if (net.bytes > 0) html += tile(bytes_text(static_cast<double>(net.bytes)), "model file");
  html += tile(duration_text(number_at(run.summary, "seconds")), "training time",
               fmt::format("{} epochs", count_text(net.epochs)));
  html += "</div>";
  html += caption(choice_text(run) + (run.classifies()
                                          ? ""
                                          : " Errors are squared errors as a share of the target’s variance: "
                                            "0 is perfect, 1 no better than always the mean."));
  return html;
}

}  // namespace coppice
