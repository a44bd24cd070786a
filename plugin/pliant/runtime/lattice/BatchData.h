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
    Points p, v;     ///< 3 x N
    Points impulse;  ///< 3 x N, forces of the next step, N
    bool forced = false;
    std::vector<MovingFrame> bones;
    std::vector<LatticePin> pins;
    LatticeStatus status = LatticeStatus::Ok;
    std::vector<bool> isFree;      ///< N: functions that are solved for
    std::vector<int> fading;       ///< N: steps until a function that goes is zero
    std::vector<int> refinements;  ///< of each cell the level that it is refined to
    const LatticeSystems* systems = nullptr;
};

/// The regions' systems of one step size and one set of solved functions. Regions that solve for the same functions of
/// theirs share one.
struct LatticeSystems {
    std::vector<std::shared_ptr<const RegionSystem>> regions;
    bool definite = true;
    int number = 0;  ///< in the order in which they were made
};

/// Memory of one group of bodies.
struct GroupMemory {
    kernels::AlignedArray<double> stiffnessPart, massPart, impulse, change, y, z, frames;
    kernels::AlignedArray<double> right, solution;  ///< in either precision
};

/// K_b of the shared operators, whose functions are those of the region's.
struct SharedStiffness {
    std::vector<SparseMatrixX> K;  ///< of each region
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
    std::vector<bool> isFree;  ///< N: of a new body
    std::vector<LatticeBody> bodies;
    LatticeRates rates;
    std::map<std::vector<bool>, LatticeSystems> systems;
    std::map<std::pair<std::size_t, std::vector<bool>>, std::shared_ptr<const RegionSystem>> regionSystems;
    int systemsMade = 0;
    std::vector<int> order;  ///< bodies of a step, those with the same systems together
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
    /// dv of functions that are not solved for: held ones are at their bones' places at the step's end, those that go
    /// fade.
    void holdChanges(const LatticeBody& body, Points& change) const;
    void response(const LatticeBody& body, const Points& impulses, Points& changes) const;
    /// Steps of conjugate gradients on the regions' common energy, from `change` on.
    void converge(const LatticeBody& body, const Vector3& gravity, Points& change) const;
    /// Moves pins to their places by the least change in the metric of Y. @return false where they disagree
    bool satisfyPins(const LatticeBody& body, Points& change) const;
    void placeOnSkin(LatticeBody& body, const std::vector<MovingFrame>& bones) const;
};

struct LatticeBatch::Data : LatticeBatchData {};

}  // namespace pliant
