// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeFlesh.h"

#include <Eigen/LU>
#include <cmath>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

constexpr double lostSkin = 0.25;    // of a bone's skin: corners and creases of what is thick enough have less
constexpr double lostVolume = 0.15;  // of the surface's: coarse cells cut round flesh by some per cent less

double enclosedVolume(const SurfaceMesh& surface) {
    double volume = 0.0;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        Matrix3 corners;
        for (int k = 0; k < 3; ++k) corners.col(k) = surface.positions.col(surface.triangles(k, t));
        volume += corners.determinant() / 6.0;
    }
    return std::abs(volume);
}

std::string percent(double share) {
    return std::to_string(static_cast<int>(std::lround(100.0 * share))) + " %";
}

const char* const cure = "; refine the lattice there, or integrate more finely (depth)";

}  // namespace

VectorX fullCellMasses(const LatticeHierarchy& hierarchy, const IntegrationMesh& cut, const ControlLattice& lattice) {
    VectorX mass = VectorX::Zero(static_cast<Eigen::Index>(lattice.cells.size()));
    for (Eigen::Index e = 0; e < cut.share.size(); ++e) {
        const auto i = static_cast<std::size_t>(e);
        mass[cut.cellOf[i]] += cut.mesh.materials[static_cast<std::size_t>(cut.mesh.elementMaterial[i])].density *
                               elementVolume(cut.mesh, static_cast<int>(e));
    }
    std::vector<VectorX> means;  // of the vertices of each level
    std::vector<int> original(lattice.cells.size());
    for (std::size_t c = 0; c < original.size(); ++c) original[c] = static_cast<int>(c);
    for (std::size_t level = 0; level <= hierarchy.finer.size(); ++level) {
        if (level > 0) {
            std::vector<int> parts;
            for (const int c : hierarchy.finer[level - 1].cellOf)
                parts.push_back(original[static_cast<std::size_t>(c)]);
            original = std::move(parts);
        }
        const ControlLattice& at = level == 0 ? lattice : hierarchy.finer[level - 1].lattice;
        VectorX sum = VectorX::Zero(at.positions.cols()), count = sum;
        for (std::size_t c = 0; c < at.cells.size(); ++c)
            for (int k = 0; k < topologyOf(at.cells[c].kind).corners; ++k) {
                const int v = at.cells[c].corners[static_cast<std::size_t>(k)];
                sum[v] += mass[original[c]];
                count[v] += 1.0;
            }
        means.push_back(sum.cwiseQuotient(count.cwiseMax(1.0)));
    }
    VectorX of(hierarchy.functionCount());
    for (Eigen::Index a = 0; a < of.size(); ++a) {
        const auto i = static_cast<std::size_t>(a);
        of[a] = means[static_cast<std::size_t>(hierarchy.level[i])][hierarchy.vertex[i]];
    }
    return of;
}

double meanShearModulus(const IntegrationMesh& cut, const VectorX& weight) {
    double sum = 0.0, volume = 0.0, whole = 0.0, all = 0.0;
    for (Eigen::Index e = 0; e < weight.size(); ++e) {
        const auto m = static_cast<std::size_t>(cut.mesh.elementMaterial[static_cast<std::size_t>(e)]);
        const ElasticMaterial& material = cut.mesh.materials[m];
        const double shear = 0.5 * material.youngsModulus / (1.0 + material.poissonRatio);
        const double size = elementVolume(cut.mesh, static_cast<int>(e));
        sum += weight[e] * size * shear;
        volume += weight[e] * size;
        whole += cut.share[e] * size * shear;
        all += cut.share[e] * size;
    }
    return volume > 0.0 ? sum / volume : whole / all;
}

void noteLostFlesh(const Rig& rig, const IntegrationMesh& cut, const std::vector<MaterialPoint>& points,
                   const std::string& where, std::vector<std::string>& notes) {
    const auto bones = static_cast<std::size_t>(rig.skeleton.boneCount());
    std::vector<int> skin(bones, 0), lost(bones, 0);
    for (std::size_t s = 0; s < points.size(); ++s) {
        const auto bone = static_cast<std::size_t>(rig.weights.bones(0, static_cast<Eigen::Index>(s)));
        ++skin[bone];
        if (!(cut.share[points[s].element] > 0.0)) ++lost[bone];
    }
    for (std::size_t b = 0; b < bones; ++b)
        if (lost[b] > 0 && lost[b] > lostSkin * skin[b])
            notes.push_back(
                where + ": around " + percent(static_cast<double>(lost[b]) / skin[b]) + " of the skin of \"" +
                rig.skeleton.bones[b].name +
                "\" cells hold no flesh, which is thinner than the pieces that they are integrated over and "
                "weighs nothing there" +
                cure);
    double inside = 0.0;
    for (Eigen::Index e = 0; e < cut.share.size(); ++e)
        inside += cut.share[e] * elementVolume(cut.mesh, static_cast<int>(e));
    const double enclosed = enclosedVolume(rig.surface);
    if (std::abs(inside - enclosed) > lostVolume * enclosed)
        notes.push_back(where + ": the cells hold " + percent(inside / enclosed) +
                        " of the flesh that the surface encloses" + cure);
}

}  // namespace pliant
