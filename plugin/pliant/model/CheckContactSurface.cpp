// SPDX-License-Identifier: Zlib
#include "pliant/model/CheckContactSurface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pliant/model/LatticeCell.h"
#include "pliant/model/ModelChecks.h"

namespace pliant {
namespace {

void checkShell(const ReducedModel& m, const std::string& where) {
    const ModelChecks check{where, "shell"};
    const PointShell& shell = m.contactSurface.shell;
    const double thickness = m.contactSurface.thickness;
    check.require(std::isfinite(thickness) && thickness >= 0.0, "the thickness is no length");
    const Eigen::Index b = shell.count();
    check.require(b == 0 || b == m.skeleton.sphereCount(), "not one entry per sphere of the skeleton");
    check.sized(shell.normals, 3, b, "not one normal per sphere");
    check.sized(shell.capRadii, b, 1, "not one cap radius per sphere");
    check.sized(shell.capAngles, b, 1, "not one cap angle per sphere");
    check.sized(shell.areas, b, 1, "not one area per sphere");
    constexpr float rightAngle = 1.5707964f;  // pi / 2, rounded up
    for (Eigen::Index i = 0; i < b; ++i) {
        const double length2 = shell.normals.col(i).cast<double>().squaredNorm();
        check.require(length2 == 0.0 || std::abs(length2 - 1.0) < 1e-4, "a normal is neither unit nor zero");
        check.require(shell.capRadii[i] >= 0.0f && shell.areas[i] >= 0.0f, "a cap radius or area is negative");
        check.require(shell.capAngles[i] >= 0.0f && shell.capAngles[i] <= rightAngle,
                      "a cap angle is not between 0 and pi / 2");
        check.require(length2 > 0.0 || (shell.capRadii[i] == 0.0f && shell.areas[i] == 0.0f),
                      "a sphere that is no surface point has a cap or an area");
    }
}

/// Number of cells of the box, or -1 where it has none or too many to count.
std::int64_t boxCells(const Eigen::Vector3i& cells) {
    constexpr std::int64_t most = std::int64_t(1) << 31;
    if ((cells.array() < 1).any()) return -1;
    std::int64_t count = 1;
    for (int k = 0; k < 3; ++k)
        if ((count *= cells[k]) >= most) return -1;
    return count;
}

void checkLattice(const ReducedModel& m, const std::string& where) {
    const ModelChecks check{where, "contact_lattice"};
    const ContactLattice& lattice = m.contactSurface.lattice;
    const Eigen::Index c = lattice.cellCount();
    check.require((c == 0) == lattice.cellNumbers.empty() && (c == 0) == (lattice.basis.size() == 0),
                  "it has cells without vertices, or no cells");
    if (c == 0) return;
    check.require(lattice.origin.allFinite() && std::isfinite(lattice.spacing) && lattice.spacing > 0.0,
                  "the spacing is no length");
    check.require(boxCells(lattice.cells) == static_cast<std::int64_t>(lattice.cellNumbers.size()),
                  "not one cell number per cell of the box");
    check.indices(lattice.cellNumbers, c, "a cell number is out of range");
    check.sized(lattice.basis, 3 * lattice.vertexCount(), m.dimension(), "the basis has a wrong size");
    check.indices(lattice.cellVertices, lattice.vertexCount(), "a vertex number is out of range");
    check.require(lattice.cellPlaces.cols() == c, "not one place per cell");
    for (Eigen::Index i = 0; i < c; ++i) {
        const Eigen::Vector3i at = lattice.cellPlaces.col(i);
        check.require((at.array() >= 0).all() && (at.array() < lattice.cells.array()).all(),
                      "a cell lies outside of the box");
        const std::int64_t box =
            at[0] + std::int64_t(lattice.cells[0]) * (at[1] + std::int64_t(lattice.cells[1]) * at[2]);
        check.require(lattice.cellNumbers[static_cast<std::size_t>(box)] == i, "a cell is not where its place says");
    }
}

/// Levels sum areas up as floats, and pressures are multiplied by them: the sum has to be far from the largest float.
constexpr double kMostArea = 1e24;  // m^2
/// A surface that is folded, or has fins, is this many times larger than the box around it at most.
constexpr double kMostFolds = 1e4;

/// Of all pieces, m^2.
double areaOf(const DenseShell& shell) {
    return shell.areas.cast<double>().colwise().norm().sum();
}

/// Of the box around the points, m^2. @param padding on every side, m, so that no box is flat
double boxArea(const DenseShell& shell, double padding) {
    const PointsF& x = shell.positions;
    const Vector3 size =
        (x.rowwise().maxCoeff().cast<double>() - x.rowwise().minCoeff().cast<double>()).array() + 2.0 * padding;
    return 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
}

/// What `DistributedShell` asks for: points that lie about where the lattice carries them.
void checkTouchShell(const ReducedModel& m, const std::string& where) {
    const ModelChecks check{where, "touch_shell"};
    const DenseShell& shell = m.contactSurface.touch;
    const Eigen::Index n = shell.count();
    check.sized(shell.areas, 3, n, "not one area per point");
    if (n == 0) return;
    constexpr int mostLevels = 8;
    check.require(shell.levels >= 1 && shell.levels <= mostLevels, "the number of levels is not 1 to 8");
    check.require(shell.positions.allFinite() && shell.areas.allFinite(), "a number is not finite");
    const ContactLattice& lattice = m.contactSurface.lattice;
    check.require(lattice.cellCount() > 0, "there is no contact lattice that carries the points");
    for (const auto& position : shell.positions.colwise()) {
        const Vector3 x = position.cast<double>();
        check.require(isCarried(placeInLatticeCell(lattice, latticeCellAt(lattice, x), x)),
                      "a point lies outside of the cell of the contact lattice that carries it");
    }
    check.require(areaOf(shell) <= std::min(kMostArea, kMostFolds * boxArea(shell, lattice.spacing)),
                  "the areas are no surface's in the box of the points");
}

}  // namespace

bool isSurfacePoint(const ReducedModel& model, Eigen::Index sphere) {
    const PointsF& normals = model.contactSurface.shell.normals;
    return sphere < normals.cols() && (normals.col(sphere).array() != 0.0f).any();
}

void checkContactSurface(const ReducedModel& model, const std::string& where) {
    checkShell(model, where);
    checkLattice(model, where);
    checkTouchShell(model, where);
}

}  // namespace pliant
