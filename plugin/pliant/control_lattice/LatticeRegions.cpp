// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeRegions.h"

#include <algorithm>

#include "pliant/control_lattice/CellTopology.h"

namespace pliant {
namespace {

constexpr double leastWeight = 0.01;  // of a bone that a cell is given to, where it had none

std::vector<int> cornersOf(const ControlCell& cell) {
    return {cell.corners.begin(), cell.corners.begin() + topologyOf(cell.kind).corners};
}

/// The bone with most weight in a cell gets some at each of its free vertices.
void giveToOneBone(const std::vector<int>& corners, const std::vector<bool>& held, MatrixX& weights) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(weights.cols());
    for (const int v : corners) sum += weights.row(v);
    Eigen::Index bone = 0;
    sum.maxCoeff(&bone);
    for (const int v : corners)
        if (!held[static_cast<std::size_t>(v)]) weights(v, bone) = std::max(weights(v, bone), leastWeight);
}

bool isWhole(const std::vector<int>& corners, const std::vector<bool>& held, const MatrixX& weights,
             Eigen::Index bone) {
    bool any = false;
    for (const int v : corners) {
        if (!held[static_cast<std::size_t>(v)] && !(weights(v, bone) > 0.0)) return false;
        any = any || weights(v, bone) > 0.0;
    }
    return any;
}

/// Vertices whose bones have no region take the bones of the cells around them: what they weighed would be missing
/// from the energy of the whole.
void giveToNeighbours(const std::vector<std::vector<int>>& corners, const std::vector<RegionCells>& regions,
                      MatrixX& weights) {
    MatrixX given = MatrixX::Zero(weights.rows(), weights.cols());
    for (const RegionCells& region : regions)
        for (std::size_t c = 0; c < corners.size(); ++c)
            if (region.holds[c])
                for (const int v : corners[c]) given(v, region.bone) = 1.0;
    for (Eigen::Index v = 0; v < weights.rows(); ++v)
        if (!(weights.row(v).sum() > 0.0)) weights.row(v) = given.row(v);
}

}  // namespace

std::vector<RegionCells> regionsOf(const ControlLattice& lattice, const std::vector<bool>& held, MatrixX& weights) {
    std::vector<std::vector<int>> corners;
    for (const ControlCell& cell : lattice.cells) corners.push_back(cornersOf(cell));
    for (const auto& of : corners) {
        bool whole = false;
        for (Eigen::Index b = 0; b < weights.cols(); ++b) whole = whole || isWhole(of, held, weights, b);
        if (!whole) giveToOneBone(of, held, weights);
    }
    std::vector<RegionCells> regions;
    for (Eigen::Index b = 0; b < weights.cols(); ++b) {
        RegionCells region{static_cast<int>(b), std::vector<bool>(corners.size(), false)};
        std::vector<bool> holdsVertex(static_cast<std::size_t>(weights.rows()), false);
        for (std::size_t c = 0; c < corners.size(); ++c)
            if (isWhole(corners[c], held, weights, b)) {
                region.holds[c] = true;
                for (const int v : corners[c]) holdsVertex[static_cast<std::size_t>(v)] = true;
            }
        for (Eigen::Index v = 0; v < weights.rows(); ++v)
            if (!holdsVertex[static_cast<std::size_t>(v)] && !held[static_cast<std::size_t>(v)]) weights(v, b) = 0.0;
        if (std::find(region.holds.begin(), region.holds.end(), true) != region.holds.end())
            regions.push_back(region);
        else
            weights.col(b).setZero();
    }
    giveToNeighbours(corners, regions, weights);
    for (Eigen::Index v = 0; v < weights.rows(); ++v) weights.row(v) /= weights.row(v).sum();
    return regions;
}

}  // namespace pliant
