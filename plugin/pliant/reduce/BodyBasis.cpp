// SPDX-License-Identifier: Zlib
#include "pliant/reduce/BodyBasis.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <set>

#include "pliant/math/Error.h"
#include "pliant/math/Frequency.h"
#include "pliant/reduce/CacheFile.h"
#include "pliant/reduce/UpAxis.h"

namespace pliant {
namespace {

constexpr double highestPlausible = 20e3;  // Hz, of the first mode

void toMesh(PointForce& f, const ReductionInput& input, const ReduceOptions& options, const std::string& where) {
    const Matrix3 R = zUpFrom(options.up.value_or(UpAxis::Z));
    f.position = options.metresPerUnit * (R * f.position);
    f.force = (R * f.force).eval();
    if (f.vertex < 0) return;
    const auto count = input.vertexOf.size();
    if (static_cast<std::size_t>(f.vertex) >= count)
        throw Error(
            where, "vertex " + std::to_string(f.vertex + 1) + " does not exist; the input has " + std::to_string(count),
            "name a position instead");
    const int vertex = input.vertexOf[static_cast<std::size_t>(f.vertex)];
    if (vertex < 0)
        throw Error(where, "vertex " + std::to_string(f.vertex + 1) + " belongs to no element", "name another");
    f.vertex = vertex;
}

BasisOptions basisOptions(const ReductionInput& input, const ReduceOptions& o) {
    BasisOptions basis;
    basis.modes = o.modes;
    basis.dimension = o.dimension;
    basis.energyTolerance = o.energyTolerance;
    basis.fixedVertices = input.fixedVertices;
    basis.orthogonalisation = o.orthogonalisation;
    basis.derivatives = o.derivatives;
    basis.visibility = o.visibility;
    basis.centrifugal = o.centrifugal;
    basis.sketch = o.sketch;
    basis.sketchOptions = o.sketchOptions;
    basis.snapshots = o.snapshots;
    basis.threads = o.threads;
    basis.shares = o.shares;
    for (std::size_t i = 0; i < basis.sketch.size(); ++i)
        toMesh(basis.sketch[i], input, o, "sketch, force " + std::to_string(i + 1));
    if (basis.snapshots)
        for (std::size_t i = 0; i < basis.snapshots->forces.size(); ++i)
            toMesh(basis.snapshots->forces[i].force, input, o, "snapshots, force " + std::to_string(i + 1));
    return basis;
}

/// Lowers the numbers that nobody has asked for to the mesh's elastic degrees of freedom, and says so.
void lowerToMesh(const FullModel& model, const ReduceOptions& o, BasisOptions& basis, ReductionReport& report) {
    const std::set<int> held(basis.fixedVertices.begin(), basis.fixedVertices.end());
    const auto elastic =
        static_cast<int>(model.degreesOfFreedom() - (held.empty() ? 6 : 3 * static_cast<Eigen::Index>(held.size())));
    if (elastic < 1) return;  // told by those who need modes
    const bool fewModes = o.modesAtMost && basis.modes > elastic;
    const bool fewColumns = o.dimensionAtMost && basis.dimension > elastic;
    if (fewModes) basis.modes = elastic;
    if (fewColumns) basis.dimension = elastic;
    if (fewModes || fewColumns)
        report.notes.push_back("the mesh has only " + std::to_string(elastic) +
                               " elastic degrees of freedom: " + std::to_string(basis.modes) + " modes, " +
                               std::to_string(basis.dimension) + " columns; a finer mesh bends more smoothly");
}

/// A sentence when the first elastic mode is faster than anything that a simulation can show.
std::string frequencyNote(const VectorX& eigenvalues) {
    if (eigenvalues.size() == 0) return {};
    const double first = hertz(eigenvalues[0]);
    if (!(first > highestPlausible)) return {};
    char text[200];
    std::snprintf(text, sizeof text,
                  "the first elastic frequency is %.4g kHz, above 20 kHz: are the coordinates metres, Young's modulus "
                  "Pa and the density kg/m^3? --units scales lengths",
                  1e-3 * first);
    return text;
}

}  // namespace

Basis makeBodyBasis(const FullModel& model, const ReductionInput& input, const ReduceOptions& options,
                    const ProgressCallback& progress, ReductionReport& report) {
    std::optional<CacheFile> cache;
    if (!options.cacheFile.empty() && options.shares.own <= 0)
        cache.emplace(options.cacheFile, fullModelHash(model, input.fixedVertices));
    BasisOptions choices = basisOptions(input, options);
    lowerToMesh(model, options, choices, report);
    Basis basis = makeBasis(model, choices, progress, cache ? &*cache : nullptr);
    if (cache) report.cached = cache->found();
    if (cache && !cache->problem().empty())
        report.notes.push_back("the cache could not be written: " + cache->problem());
    if (const std::string note = frequencyNote(basis.elasticEigenvalues); !note.empty()) report.notes.push_back(note);
    report.shapes = basis.shapes;
    report.dimension = static_cast<int>(basis.U.cols());
    report.discardedEnergy = basis.discardedEnergy;
    report.hiddenModes = basis.hiddenModes;
    report.droppedDerivatives = basis.droppedDerivatives;
    return basis;
}

}  // namespace pliant
