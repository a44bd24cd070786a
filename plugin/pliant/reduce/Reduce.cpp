// SPDX-License-Identifier: Zlib
#include "pliant/reduce/Reduce.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <filesystem>

#include "pliant/basis/Basis.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/CheckOptions.h"
#include "pliant/reduce/CompleteModel.h"
#include "pliant/reduce/InputHash.h"
#include "pliant/reduce/ReadInput.h"

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

Basis computeBasis(const FullModel& full, const std::vector<int>& fixedVertices, const ReduceOptions& options,
                   const ProgressCallback& progress) {
    BasisOptions basis;
    basis.modes = options.modes;
    basis.dimension = options.dimension;
    basis.fixedVertices = fixedVertices;
    basis.threads = options.threads;
    return makeBasis(full, basis, progress);
}

std::shared_ptr<const ReducedModel> reduce(const std::string& input, const ReduceOptions& options,
                                           const ProgressCallback& progress) {
    reportProgress(progress, "mesh", 0.0);
    const ReductionInput read = readInput(input, options);
    auto model = std::make_shared<ReducedModel>();
    describe(input, options, *model);
    model->mesh = read.mesh;
    model->fixedVertices = read.fixedVertices;

    const FullModel full(read.mesh);
    reportProgress(progress, "mesh", 1.0);

    const Basis basis = computeBasis(full, read.fixedVertices, options, progress);
    model->elasticEigenvalues = basis.elasticEigenvalues;
    model->energy = reducePolynomial(read.mesh, basis.U, progress);
    completeModel(full.massMatrix(), basis.U, read.surface, progress, *model);
    return model;
}

}  // namespace

std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                               const ProgressCallback& progress) {
    checkOptions(options);
    const int cores = tbb::info::default_concurrency();
    tbb::task_arena workers(options.threads == 0 ? cores : std::min(options.threads, cores));
    return workers.execute([&] { return reduce(input, options, progress); });
}

}  // namespace pliant
