// SPDX-License-Identifier: Zlib
/// @file
/// Parts for distributed contact out of plain surface files: bodies as stiff as steel, with dense layers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"
#include "pliant/reduce/DenseLayers.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// What a part is made of.
struct RigidPartOptions {
    double metresPerUnit = 1.0;     ///< What one unit of the file's coordinates is, m.
    std::optional<UpAxis> up;       ///< Which axis of the file points up; z where it is not said.
    std::optional<double> density;  ///< Density, kg/m^3; ElasticMaterial's default where it is not said.
    /// How far outside of the file's triangles the part's surface lies, in spacings of the field that is asked for,
    /// which needs six times as many; 0: they are the surface, and have to close. Otherwise 1 to 16: they may be open,
    /// have holes and cross each other (ReduceOptions::offset).
    double offset = 0.0;
    DenseLayerOptions layers;  ///< The points and the field.
};

/// A surface file as a solid for distributed contact that was not reduced before: it keeps the one softest mode that it
/// has as a block of steel (E = 210 GPa), which no contact bends by what a picture or a sensor could tell; thin sheets
/// bend as steel does.
/// @param path of the surface
/// @param progress told the stages of a reduction
/// @param report notes of reading, mass and field; may be null
/// @throws Error for files that are no surface, surfaces that are not closed where `offset` is 0, options out of range
PLIANT_API std::shared_ptr<const ReducedModel> makeRigidPart(const std::string& path, const RigidPartOptions& options,
                                                             const ProgressCallback& progress = {},
                                                             ReductionReport* report = nullptr);

}  // namespace pliant
