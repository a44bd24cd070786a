// SPDX-License-Identifier: Zlib
#include "pliant/exchange/AssembleModel.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "pliant/exchange/ElasticPart.h"
#include "pliant/exchange/FitBasis.h"
#include "pliant/exchange/ShortNumber.h"
#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/reduce/CompleteModel.h"
#include "pliant/reduce/InputHash.h"

namespace pliant {
namespace {

/// Bases of free bodies that hold more rigid motion than rounding to single precision leaves lose it.
constexpr double rigidRounding = 1e-6;

std::string turningNote(double share) {
    if (share <= rigidRounding) return "its energy stays exact";
    return "its energy stays exact for small deformations; columns turned the body by up to " + shortNumber(share) +
           " of a rigid mode";
}

void takeOutRigidMotion(ModelParts& parts, bool unitMass, std::vector<std::string>& notes) {
    const VectorX slide = linearField(parts.mesh, Matrix3::Zero(), Vector3::UnitX());
    const MatrixX rigid = rigidModes(parts.mesh, parts.mass, slide.dot(parts.mass * slide));
    if (!unitMass) {
        // In masses that are not those of the basis nobody can say what turns. What slides, in any masses, is taken
        // out: momentum is the frame's alone; the run time carries the angular momentum of the rest (H0).
        const MatrixX sliding = rigid.leftCols(3);
        const MatrixX moved = sliding.transpose() * (parts.mass * parts.basis);
        if (moved.colwise().norm().maxCoeff() > rigidRounding) parts.basis -= sliding * moved;
        return;
    }
    ElasticPart elastic = elasticPart(parts.mass, rigid, parts.basis);
    if (elastic.rigidShare <= rigidRounding) return;
    const Eigen::Index before = parts.basis.cols(), after = elastic.basis.cols();
    parts.basis = std::move(elastic.basis);
    parts.energy = transformed(parts.energy, elastic.coordinates);
    notes.push_back(parts.files.front() + ": the basis of this free body held rigid motion (up to " +
                    shortNumber(elastic.rigidShare) + " of a mode), which was taken out" +
                    (after < before ? ", " + std::to_string(before - after) + " columns with it" : "") + "; " +
                    turningNote(elastic.turningShare));
}

}  // namespace

std::shared_ptr<const ReducedModel> assembleModel(ModelParts parts, const ProgressCallback& progress,
                                                  std::vector<std::string>& notes) {
    const std::string& file = parts.files.front();
    const Normalisation unit = normalisation(parts.mass, parts.basis);
    const bool unitMass = unit.largestError <= 1e-3;
    if (!unitMass)
        notes.push_back(file + ": U'MU differs from 1 by up to " + shortNumber(unit.largestError) + " (mean diagonal " +
                        shortNumber(unit.meanDiagonal) +
                        "), where the run time takes it for 1; is the mesh, with its density, that of the basis?");
    if (parts.fixedVertices.empty()) takeOutRigidMotion(parts, unitMass, notes);
    auto model = std::make_shared<ReducedModel>();
    model->name = parts.name;
    model->provenance.generator = "pliant " PLIANT_VERSION;
    model->provenance.inputName = std::filesystem::path(file).filename().string();
    model->provenance.inputHash = filesHash(parts.files);
    model->provenance.options = parts.options;
    model->mesh = std::move(parts.mesh);
    model->fixedVertices = std::move(parts.fixedVertices);
    model->energy = std::move(parts.energy);
    completeModel(parts.mass, parts.basis, parts.surface, parts.surface, SurfaceChoice(), progress, notes, *model);
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
