// SPDX-License-Identifier: Zlib
// The step of the paper, for one body or 16 side by side.
#include <algorithm>

#include "pliant/runtime/lattice/BatchData.h"

namespace pliant {
namespace {

/// Numbers of a body into its lane.
template <class Numbers>
void intoLane(const Numbers& numbers, int lanes, int lane, double* to) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) to[i * lanes + lane] = numbers.data()[i];
}

/// Where kernels find a group of bodies in its memory. @param lanes bodies side by side
/// @param forced whether any of them has impulses
RegionGroup groupIn(GroupMemory& m, int lanes, bool forced) {
    double* const frames = m.frames.data();
    RegionGroup group;
    group.stiffnessPart = m.stiffnessPart.data();
    group.massPart = m.massPart.data();
    group.impulse = forced ? m.impulse.data() : nullptr;
    group.rotation = frames;
    group.stiffnessMap = frames + 9 * lanes;
    group.massMap = frames + 21 * lanes;
    group.gravity = frames + 33 * lanes;
    group.y = m.y.data();
    group.z = m.z.data();
    group.right = m.right.data();
    group.solution = m.solution.data();
    group.change = m.change.data();
    return group;
}

}  // namespace

void LatticeBatchData::reserve(int count) {
    std::size_t functions = 0;
    for (const LatticeRegion& region : model->regions) functions = std::max(functions, region.cells.functions.size());
    const std::size_t rows = (3 * functions + 16) * latticeLanes;
    const auto all = static_cast<std::size_t>(3 * model->functionCount()) * latticeLanes;
    while (static_cast<int>(memory.size()) < count) {
        GroupMemory& m = memory.emplace_back();
        for (auto* array : {&m.stiffnessPart, &m.massPart, &m.impulse, &m.change}) array->resize(all);
        for (auto* array : {&m.y, &m.z}) array->resize(4 * functions * latticeLanes);
        for (auto* array : {&m.right, &m.solution}) array->resize(rows);
        m.frames.resize(static_cast<std::size_t>(9 + 12 + 12 + 3) * latticeLanes);
    }
}

void LatticeBatchData::placeOnSkin(LatticeBody& body, const std::vector<MovingFrame>& bones) const {
    body.bones = bones;
    body.p.setZero();
    body.v.setZero();
    body.correction.setZero();
    for (const LatticeRegion& region : model->regions) {
        const MovingFrame& frame = bones[static_cast<std::size_t>(region.bone)];
        for (std::size_t k = 0; k < region.cells.functions.size(); ++k) {
            const int a = region.cells.functions[k];
            const double w = region.blend[static_cast<Eigen::Index>(k)];
            body.p.col(a) += w * mapped(frame.map, model->rest.col(a), model->unit[a]);
            body.v.col(a) += w * mapped(frame.velocity, model->rest.col(a), model->unit[a]);
        }
    }
    for (std::size_t a = 0; a < isFree.size(); ++a) {
        if (model->boneOf[a] < 0) continue;  // finer functions that are not taken yet are not free either
        const auto k = static_cast<Eigen::Index>(a);
        const MovingFrame& frame = bones[static_cast<std::size_t>(model->boneOf[a])];
        body.p.col(k) = mapped(frame.map, model->rest.col(k), model->unit[k]);
        body.v.col(k) = mapped(frame.velocity, model->rest.col(k), model->unit[k]);
    }
}

void LatticeBatchData::holdChanges(const LatticeBody& body, Points& change) const {
    for (std::size_t a = 0; a < body.isFree.size(); ++a) {
        if (body.isFree[a]) continue;
        const auto k = static_cast<Eigen::Index>(a);
        Vector3 place = Vector3::Zero();
        if (const int bone = model->boneOf[a]; bone >= 0)
            place = mapped(body.bones[static_cast<std::size_t>(bone)].map, model->rest.col(k), model->unit[k]);
        else if (body.fading[a] > 0)
            place = (1.0 - 1.0 / body.fading[a]) * body.p.col(k);
        change.col(k) = (place - body.p.col(k)) / rates.h - body.v.col(k);
    }
}

void LatticeBatchData::stepGroup(const int* slots, int count, const Vector3& gravity, GroupMemory& m) {
    const int lanes = count == 1 ? 1 : latticeLanes;
    const LatticeSystems& own = *bodies[static_cast<std::size_t>(slots[0])].systems;
    const double h = rates.h;
    const Eigen::Index n = model->functionCount();
    bool forced = false;
    Points held = Points::Zero(3, n);
    for (int lane = 0; lane < lanes; ++lane) {  // lanes without a body repeat the last one
        const LatticeBody& body = bodies[static_cast<std::size_t>(slots[std::min(lane, count - 1)])];
        holdChanges(body, held);
        const Points a = h * body.p + rates.stiffnessFactor() * (body.v + held);
        const Points c = rates.massDamping * body.v + rates.massFactor() * held;
        intoLane(a, lanes, lane, m.stiffnessPart.data());
        intoLane(c, lanes, lane, m.massPart.data());
        intoLane(Points(h * body.impulse), lanes, lane, m.impulse.data());
        forced = forced || body.forced;
    }
    std::fill_n(m.change.data(), 3 * n * lanes, 0.0);

    double* const frames = m.frames.data();
    const RegionGroup group = groupIn(m, lanes, forced);
    for (int lane = 0; lane < lanes; ++lane) intoLane(Vector3(h * gravity), lanes, lane, frames + 33 * lanes);

    const RegionKernels& kernels = regionKernels();
    for (std::size_t i = 0; i < own.regions.size(); ++i) {
        const RegionSystem& region = *own.regions[i];
        for (int lane = 0; lane < lanes; ++lane) {
            const LatticeBody& body = bodies[static_cast<std::size_t>(slots[std::min(lane, count - 1)])];
            const MovingFrame& bone = body.bones[static_cast<std::size_t>(model->regions[i].bone)];
            const Matrix3 R = BoneAxes(bone).R;
            const AffineMap stiffnessMap = R.transpose() * (h * bone.map + rates.stiffnessDamping * bone.velocity);
            const AffineMap massMap = R.transpose() * (rates.massDamping * bone.velocity);
            intoLane(R, lanes, lane, frames);
            intoLane(stiffnessMap, lanes, lane, frames + 9 * lanes);
            intoLane(massMap, lanes, lane, frames + 21 * lanes);
        }
        const auto act = lanes == 1 ? (region.single() ? kernels.stepOneSingle : kernels.stepOneDouble)
                                    : (region.single() ? kernels.stepManySingle : kernels.stepManyDouble);
        act(region.view(), group);
    }
    for (int lane = 0; lane < count; ++lane) {
        LatticeBody& body = bodies[static_cast<std::size_t>(slots[lane])];
        for (Eigen::Index i = 0; i < 3 * n; ++i) held.data()[i] = m.change.data()[i * lanes + lane];
        finish(body, gravity, held);
    }
}

void LatticeBatchData::finish(LatticeBody& body, const Vector3& gravity, Points& change) {
    holdChanges(body, change);
    body.status = body.systems->definite ? LatticeStatus::Ok : LatticeStatus::Singular;
    if (settings.iterations > 1) converge(body, gravity, change);
    if (!body.pins.empty() && !satisfyPins(body, change)) body.status = LatticeStatus::PinsDisagree;
    if (change.allFinite()) {
        body.v += change;
        body.p += rates.h * body.v;
    } else {
        placeOnSkin(body, body.bones);
        body.status = LatticeStatus::RestoredSkin;
    }
    for (int& steps : body.fading) steps = std::max(0, steps - 1);
    if (body.forced) body.impulse.setZero();
    body.forced = false;
}

}  // namespace pliant
