// SPDX-License-Identifier: Zlib
// What a batch of lattice characters holds. Private to runtime/lattice.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "pliant/runtime/lattice/LatticeBatch.h"
#include "pliant/runtime/lattice/RegionSystem.h"

namespace pliant {

struct LatticeSystems;

struct LatticeBody {
    bool used = false;
    Points p, v;     ///< Coefficients of positions, m, and of velocities, m/s, 3 x N, world.
    Points impulse;  ///< Forces of the next step, 3 x N, N.
    /// What the iterations of the last step came to beyond its blend, m/s, 3 x N; zero where nothing is solved for.
    Points correction;
    bool forced = false;
    std::vector<MovingFrame> bones;
    std::vector<LatticePin> pins;
    LatticeStatus status = LatticeStatus::Ok;
    std::vector<bool> isFree;      ///< Whether each of the N functions is solved for.
    std::vector<int> fading;       ///< Steps until a function that goes is zero, N.
    std::vector<int> refinements;  ///< Level that each cell is refined to.
    const LatticeSystems* systems = nullptr;
};

/// The regions' systems of one step size and one set of solved functions. Regions that solve for the same functions of
/// theirs share one.
struct LatticeSystems {
    std::vector<std::shared_ptr<const RegionSystem>> regions;
    bool definite = true;
    int number = 0;  ///< Number of these systems in the order in which they were made.
};

/// Memory of one group of bodies.
struct GroupMemory {
    kernels::AlignedArray<double> stiffnessPart, massPart, impulse, change, y, z, frames;
    kernels::AlignedArray<double> right, solution;  ///< Right sides and solutions, in either precision.
};

/// K_b of the shared operators, whose functions are those of the region's.
struct SharedStiffness {
    std::vector<SparseMatrixX> K;  ///< Stiffness K_b of each region.
};

/// [L | t] (r; u).
inline Vector3 mapped(const AffineMap& map, const Vector3& r, double u) {
    return map.leftCols<3>() * r + u * map.col(3);
}

/// Rotation, and the map relative to it, of a region's bone.
struct BoneAxes {
    explicit BoneAxes(const MovingFrame& frame) : R(frame.map.leftCols<3>() / frame.scale()) {}
    Matrix3 R;
};

struct LatticeBatchData {
    std::shared_ptr<const LatticeModel> model;
    LatticeSettings settings;
    std::vector<bool> isFree;  ///< Whether each of the N functions of a new body is solved for.
    std::vector<LatticeBody> bodies;
    LatticeRates rates;
    std::map<std::vector<bool>, LatticeSystems> systems;
    std::map<std::pair<std::size_t, std::vector<bool>>, std::shared_ptr<const RegionSystem>> regionSystems;
    int systemsMade = 0;
    std::vector<int> order;  ///< Bodies of a step, those with the same systems together.
    struct Group {
        int begin, count;
    };
    std::vector<Group> groups;
    std::vector<GroupMemory> memory;
    SharedStiffness shared;

    /// Systems for a step of h seconds, and bodies in groups that have the same.
    void prepare(double h, const std::vector<int>& listed);
    const LatticeSystems* systemsOf(const std::vector<bool>& solved);
    void forgetUnused();
    void adapt(LatticeBody& body) const;
    void reserve(int count);
    /// Whole step of up to latticeLanes bodies. @param lanes 1 or latticeLanes
    void stepGroup(const int* slots, int count, const Vector3& gravity, GroupMemory& memory);
    void finish(LatticeBody& body, const Vector3& gravity, Points& change);
    /// Sets dv of functions that are not solved for: held ones are at their bones' places at the step's end, those that
    /// go fade.
    void holdChanges(const LatticeBody& body, Points& change) const;
    void response(const LatticeBody& body, const Points& impulses, Points& changes) const;
    /// Steps of conjugate gradients on the regions' common energy, from `change` on. Writes body.correction.
    void converge(LatticeBody& body, const Vector3& gravity, Points& change) const;
    /// Moves pins to their places by the least change in the metric of Y. @return false where they disagree
    bool satisfyPins(const LatticeBody& body, Points& change) const;
    void placeOnSkin(LatticeBody& body, const std::vector<MovingFrame>& bones) const;
};

struct LatticeBatch::Data : LatticeBatchData {};

}  // namespace pliant
