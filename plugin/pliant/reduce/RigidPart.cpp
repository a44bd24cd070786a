// SPDX-License-Identifier: Zlib
#include "pliant/reduce/RigidPart.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/reduce/Reduce.h"

namespace pliant {
namespace {

constexpr double kSteel = 2.1e11, kSteelPoisson = 0.3;  // Pa
constexpr double kNarrowest = 1.0, kWidest = 16.0;      // spacings
constexpr double kWidestShare = 0.25;                   // of the longest side, as ReduceOptions::offset may be

/// The offset as a share of the longest side L of the file's surface. Spacings are those of the field about the part,
/// which is longer by the offset at both ends: with d = share L, d = spacings (L + 2 d) / field.
double offsetShare(const RigidPartOptions& options) {
    return options.offset / (options.layers.field - 2.0 * options.offset);
}

ReduceOptions firmestOptions(const RigidPartOptions& options) {
    ReduceOptions firm;
    firm.modes = firm.dimension = 1;
    firm.derivatives = DerivativeForm::None;
    firm.youngsModulus = kSteel;
    firm.poissonRatio = kSteelPoisson;
    firm.density = options.density;
    firm.metresPerUnit = options.metresPerUnit;
    firm.up = options.up;
    firm.solid = true;
    firm.contact = ContactGeometry::Surface;
    firm.refine = 0.0;  // it does not bend
    if (options.offset > 0.0) firm.offset = offsetShare(options);
    return firm;
}

void check(const std::string& path, const RigidPartOptions& options) {
    if (!isSurfaceFile(path))
        throw Error(path, "files that end in '" + lowerExtension(path) + "' are neither a model nor a surface",
                    "give a reduced solid (.pliant) or a surface (" + listed(surfaceExtensions()) + ")");
    if (options.offset == 0.0) {
        const SurfaceClosure closure = examineClosure(readSurface(path, options.metresPerUnit).mesh);
        if (!closure.closed())
            throw Error(path, "the surface is not closed: " + openEdgesText(closure),
                        "close it, or ask for an offset (--offset 1.4): the closed surface around its triangles");
        return;
    }
    if (!(options.offset >= kNarrowest && options.offset <= kWidest))
        throw Error(path, "an offset of " + numberText(options.offset) + " spacings is asked for",
                    "ask for 1 to 16, or 0 for the surface itself");
    const int least = std::max(16, static_cast<int>(std::ceil((2.0 + 1.0 / kWidestShare) * options.offset)));
    if (options.layers.field < least)
        throw Error(path,
                    "an offset of " + numberText(options.offset) + " spacings of a field of " +
                        std::to_string(options.layers.field) + " is asked for",
                    "ask for a field of " + std::to_string(least) + " to 1024 spacings");
}

}  // namespace

std::shared_ptr<const ReducedModel> makeRigidPart(const std::string& path, const RigidPartOptions& options,
                                                  const ProgressCallback& progress, ReductionReport* report) {
    check(path, options);
    ReductionReport unseen;
    ReductionReport& told = report ? *report : unseen;
    const auto firm = reduceFile(path, firmestOptions(options), progress, &told);
    return withDenseLayers(*firm, options.layers, &told.notes);
}

}  // namespace pliant
