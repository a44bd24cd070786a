// SPDX-License-Identifier: Zlib
#include "pliant/exchange/AssembleModel.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "pliant/exchange/FitBasis.h"
#include "pliant/exchange/ShortNumber.h"
#include "pliant/math/Error.h"
#include "pliant/reduce/CompleteModel.h"
#include "pliant/reduce/InputHash.h"

namespace pliant {
namespace {

/// Largest share of a basis column that is rigid motion: 0 under the mean-axis conditions, 1 for a rigid mode.
double rigidShare(const InertiaIntegrals& inertia) {
    const MatrixX turning = inertia.principalInertia.cwiseInverse().cwiseSqrt().asDiagonal() * inertia.rotation;
    const double sliding = inertia.translation.colwise().norm().maxCoeff() / std::sqrt(inertia.mass);
    return std::max(sliding, turning.colwise().norm().maxCoeff());
}

}  // namespace

std::shared_ptr<const ReducedModel> assembleModel(ModelParts parts, const ProgressCallback& progress,
                                                  std::vector<std::string>& notes) {
    const std::string& file = parts.files.front();
    if (const Normalisation unit = normalisation(parts.mass, parts.basis); unit.largestError > 1e-3)
        notes.push_back(file + ": U'MU differs from 1 by up to " + shortNumber(unit.largestError) + " (mean diagonal " +
                        shortNumber(unit.meanDiagonal) +
                        "), where the run time takes it for 1; is the mesh, with its density, that of the basis?");
    auto model = std::make_shared<ReducedModel>();
    model->name = parts.name;
    model->provenance.generator = "pliant " PLIANT_VERSION;
    model->provenance.inputName = std::filesystem::path(file).filename().string();
    model->provenance.inputHash = filesHash(parts.files);
    model->provenance.options = parts.options;
    model->mesh = std::move(parts.mesh);
    model->fixedVertices = std::move(parts.fixedVertices);
    model->energy = std::move(parts.energy);
    completeModel(parts.mass, parts.basis, parts.surface, progress, *model);
    if (const double share = rigidShare(model->inertia); !model->anchored && share > 0.01)
        notes.push_back(file + ": the basis of this free body holds rigid motion (up to " + shortNumber(share) +
                        " of a mode); its contact impulses are approximate");
    model->elasticEigenvalues = parts.eigenvalues.size() > 0 ? parts.eigenvalues : model->restEigenvalues;
    return model;
}

MatrixX rowsOfMesh(const MatrixX& fileBasis, const std::vector<int>& vertexOf, int vertexCount,
                   const std::string& where) {
    if (fileBasis.rows() != 3 * static_cast<Eigen::Index>(vertexOf.size()))
        throw Error(where,
                    "the basis has " + std::to_string(fileBasis.rows()) + " rows, the mesh " +
                        std::to_string(vertexOf.size()) + " vertices, which take " +
                        std::to_string(3 * vertexOf.size()),
                    "give the mesh that the basis was made for");
    MatrixX rows = MatrixX::Zero(3 * Eigen::Index(vertexCount), fileBasis.cols());
    std::vector<bool> seen(static_cast<std::size_t>(vertexCount), false);
    const double scale = fileBasis.cwiseAbs().maxCoeff();
    for (std::size_t v = 0; v < vertexOf.size(); ++v) {
        if (vertexOf[v] < 0) continue;
        const Eigen::Index to = 3 * Eigen::Index(vertexOf[v]), from = 3 * static_cast<Eigen::Index>(v);
        const auto isSeen = static_cast<std::size_t>(vertexOf[v]);
        if (seen[isSeen] && (rows.middleRows<3>(to) - fileBasis.middleRows<3>(from)).norm() > 1e-6 * scale)
            throw Error(where, "vertex " + std::to_string(v) + " stands where another one does but moves differently",
                        "give a mesh whose vertices are joined");
        rows.middleRows<3>(to) = fileBasis.middleRows<3>(from);
        seen[isSeen] = true;
    }
    return rows;
}

}  // namespace pliant
