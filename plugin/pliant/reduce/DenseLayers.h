// SPDX-License-Identifier: Zlib
/// @file
/// Dense layers of a solid for distributed contact: many points on its surface, and a finer distance field.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// What dense layers are made of.
struct DenseLayerOptions {
    static constexpr int kMostPoints = 4000000;  ///< That may be asked for, as `touch:` of a scene and setTouch() may.
    static constexpr int kMostLevels = 8;        ///< The same of levels.

    int points = 256000;  ///< Points of the surface, about; more where it has more triangles. 1 to kMostPoints.
    int levels = 5;       ///< Levels of detail, a fourth of the points each, 1 to kMostLevels.
    int field = 256;      ///< Spacings of the distance field along the longest side, 16 to 1024; 0: it stays.
};

/// A copy of a model with a touch shell and a field as fine as asked for, whose fine samples reach as far from the
/// surface as those of the model's own do; that one stays where the other would be no finer.
/// @param model a solid
/// @param notes receives what the field does not meet, a sentence each
/// @throws Error for a body that is no solid, and options out of range
PLIANT_API std::shared_ptr<ReducedModel> withDenseLayers(const ReducedModel& model, const DenseLayerOptions& options,
                                                         std::vector<std::string>* notes = nullptr);

}  // namespace pliant
