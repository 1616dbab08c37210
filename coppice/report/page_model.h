#pragma once

#include "coppice/model/model.h"
#include "coppice/report/html.h"

namespace coppice {

/// A model as the page's script computes it (page/model.js): its encoding, its folded nets and what its outputs mean.
/// `typical`: values of text columns that are offered beside the categories.
Json page_model(const Model& model, const Json& typical);

}  // namespace coppice
