#include "coppice/exports/onnx_times.h"

#include <cstdint>

namespace coppice {

namespace {

using Name = OnnxGraph::Name;

constexpr double seconds_of_day = 86'400;
constexpr double seconds_of_hour = 3600;

/// Arithmetic of float64, which holds every day and second exactly.
class Calendar {
 public:
  explicit Calendar(OnnxGraph& graph) : graph_(graph) {}

  Name plus(const Name& a, const Name& b) { return graph_.node("Add", {a, b}); }
  Name plus(const Name& a, double b) { return plus(a, graph_.constant(b)); }
  Name minus(const Name& a, const Name& b) { return graph_.node("Sub", {a, b}); }
  Name times(const Name& a, double b) { return graph_.node("Mul", {a, graph_.constant(b)}); }
  Name over(const Name& a, double b) { return graph_.node("Div", {a, graph_.constant(b)}); }
  Name whole(const Name& a, double b) { return graph_.node("Floor", {over(a, b)}); }
  Name rest(const Name& a, double b) { return minus(a, times(whole(a, b), b)); }

  Name weekday(const Name& day) {
    constexpr double first = 3;  // 1970-01-01 was a Thursday
    return plus(rest(plus(day, first), 7), 1);
  }

  /// Years are taken to begin in March, so that the day that comes and goes is their last; eras of 400 such years are
  /// alike. Months from March on have 31, 30, 31, 30, 31 days again and again, 153 in all.
  Name month(const Name& day) {
    constexpr double to_march_of_year_0 = 719'468;
    constexpr double days_of_era = 146'097;
    constexpr double days_of_century = 36'524;
    constexpr double days_of_four_years = 1461;
    const Name in_era = rest(plus(day, to_march_of_year_0), days_of_era);
    // What leap days add is taken off, so that 365 days are a year.
    const Name fourth = whole(in_era, days_of_four_years - 1);
    const Name century = whole(in_era, days_of_century);
    const Name last = whole(in_era, days_of_era - 1);
    const Name year = whole(minus(plus(minus(in_era, fourth), century), last), 365);
    const Name before = minus(plus(times(year, 365), whole(year, 4)), whole(year, 100));
    const Name in_year = minus(in_era, before);
    const Name since_march = whole(plus(times(in_year, 5), 2), 153);
    const Name next_year = graph_.node("Greater", {since_march, graph_.constant(9.5)});
    return graph_.node("Where", {next_year, plus(since_march, -9), plus(since_march, 3)});
  }

 private:
  OnnxGraph& graph_;
};

Name part_of_time(OnnxGraph& graph, const Name& seconds, const Feature& feature, bool dated) {
  Calendar calendar(graph);
  if (feature.part == CellPart::day)
    return calendar.plus(calendar.over(seconds, seconds_of_day), -feature.origin);
  if (feature.part == CellPart::month) return calendar.month(calendar.whole(seconds, seconds_of_day));
  if (feature.part == CellPart::weekday) return calendar.weekday(calendar.whole(seconds, seconds_of_day));
  return calendar.over(dated ? calendar.rest(seconds, seconds_of_day) : seconds, seconds_of_hour);
}

}  // namespace

Name add_time_part(OnnxGraph& graph, const Name& seconds, const Feature& feature, bool dated) {
  return graph.node("Cast", {part_of_time(graph, seconds, feature, dated)},
                    {{"to", static_cast<std::int64_t>(OnnxType::float32)}});
}

}  // namespace coppice
