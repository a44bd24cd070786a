// SPDX-License-Identifier: Zlib
#include "pliant/reduce/RigidPart.h"

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
    if (options.offset > 0.0) firm.offset = options.offset / options.layers.field;
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
    if (options.layers.field < 16)
        throw Error(path, "an offset is measured in spacings of a field, and none is asked for",
                    "ask for a field of 16 to 1024 spacings");
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
