// SPDX-License-Identifier: Zlib
#include "pliant/reduce/Reduce.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "pliant/mesh/ReadSurface.h"
#include "pliant/polynomial/ReduceDamping.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/BodyBasis.h"
#include "pliant/reduce/CheckOptions.h"
#include "pliant/reduce/CompleteModel.h"
#include "pliant/reduce/EstimateCost.h"
#include "pliant/reduce/FollowedModes.h"
#include "pliant/reduce/GroupParts.h"
#include "pliant/reduce/InputHash.h"
#include "pliant/reduce/OwnWeight.h"
#include "pliant/reduce/ReadInput.h"
#include "pliant/reduce/StageClock.h"

namespace pliant {
namespace {

void describe(const std::string& input, const ReduceOptions& options, ReducedModel& model) {
    const std::filesystem::path path(input);
    model.name = path.stem().string();
    model.provenance.generator = "pliant " PLIANT_VERSION;
    model.provenance.inputName = path.filename().string();
    model.provenance.inputHash = inputHash(input, options);
    model.provenance.options = options.canonical();
}

/// A body that is too stiff from its first mode on is not what anybody has asked for.
void tellStiffness(const FollowedModes& followed, ReductionReport& report) {
    const std::string stiffness = stiffnessText(followed);
    if (followed.known > 0 && followed.count == 0)
        report.notes.push_back("the body " + stiffness);
    else
        report.stiffness = stiffness;
}

std::shared_ptr<const ReducedModel> reduce(const std::string& input, const ReduceOptions& given,
                                           const ProgressCallback& progress, ReductionReport& report) {
    reportProgress(progress, "mesh", 0.0);
    const ReduceOptions options = given.decidedFor(input);
    const ReductionInput read = readInput(input, options);
    auto model = std::make_shared<ReducedModel>();
    describe(input, options, *model);
    model->mesh = read.mesh;
    model->fixedVertices = read.fixedVertices;

    const FullModel full(read.mesh, options.lumpedMass ? MassKind::Lumped : MassKind::Consistent);
    report.notes = read.notes;
    report.filling = read.mass.filling;
    report.bodyMass = read.mass.body;
    report.surfaceMass = read.mass.surface;
    report.estimate = estimateCost(read.mesh, read.fixedVertices, options);
    reportProgress(progress, "mesh", 1.0);

    const Basis basis = makeBodyBasis(full, read, options, progress, report);
    model->elasticEigenvalues = basis.elasticEigenvalues;
    std::vector<EnergyParts> parts = reduceEnergyParts(read.mesh, basis.U, progress, options.shares);
    model->energy = totalEnergy(read.mesh, parts);
    if (options.strainRateDamping) {
        std::vector<Matrix6> viscosity;  // for one second; stiffnessMatrix() is in Pa
        for (const ElasticMaterial& material : read.mesh.materials) viscosity.push_back(stiffnessMatrix(material));
        model->damping = reduceDamping(read.mesh, basis.U, viscosity, progress);
    }
    const SurfaceChoice choice{options.contact, !isSurfaceFile(input) || options.solid.value_or(false), options.refine,
                               options.thickness};
    completeModel(full.massMatrix(), basis.U, read.surface, read.drawn, choice, progress, report.notes, *model);
    model->materialGroups = materialGroups(full, std::move(parts), *model);
    tellStiffness(followedModes(*model), report);
    if (std::string note = ownWeightNote(*model); !note.empty()) report.notes.push_back(std::move(note));
    return model;
}

}  // namespace

std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                               const ProgressCallback& progress, ReductionReport* report) {
    checkOptions(options);
    ReductionReport unseen;
    StageClock clock(progress, report ? *report : unseen);
    const int cores = tbb::info::default_concurrency();
    tbb::task_arena workers(options.threads == 0 ? cores : std::min(options.threads, cores));
    auto model = workers.execute([&] { return reduce(input, options, clock.callback(), report ? *report : unseen); });
    clock.finish();
    return model;
}

}  // namespace pliant
