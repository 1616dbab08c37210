#pragma once

#include "coppice/analysis/measured_net.h"
#include "coppice/api/prepare.h"
#include "coppice/api/result.h"
#include "coppice/training/course.h"

// The last round: the best net, or ensemble, goes on as it ended, with the rows that validated it beside the others.
namespace coppice {

/// Steps begin where they move a net by little, and end where they move it no more.
inline constexpr Course refit_course{.rounds = 5, .epochs = 8};

/// Whether a net has learned so much that it may go on with no rows to say when to stop: where there is little to learn,
/// nothing else keeps it from learning noise. `base`: what decides, of an answer that knows no inputs. The nets of an ensemble
/// have seen all rows together: they go on only where each misses many of the `rows` that it trains with.
bool may_refit(const NetResult& best, double base, std::size_t rows);

/// The net that went on, with what the validation rows said of it before: its errors, its temperature and how far its answers
/// lie off. Test rows are asked anew.
MeasuredNet refitted(ThreadPool& pool, const Trainer& trainer, const NetRun& run, const PreparedData& data,
                     NetShare share, const NetResult& before, const Model& model);

}  // namespace coppice
