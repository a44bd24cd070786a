// SPDX-License-Identifier: Zlib
// Which functions are solved for: all that the bones do not hold, or as many as the flesh is strained
// [C02 4.7]. What a body solves for changes seldom; each set has its own inverses, which bodies share.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/lattice/BatchData.h"

namespace pliant {
namespace {

constexpr std::size_t mostSystems = 64;  // kept without a body that has them

/// The largest principal Green strain, of either sign, of a cell's mean deformation, beside what the size of its bones
/// makes of it: flesh at rest on scaled bones is scaled, not strained.
/// @param scale of the bones that each function follows
double principalStrain(const LatticeStrain& cell, const std::vector<int>& level, const Points& p,
                       const VectorX& scale) {
    Matrix3 F = Matrix3::Zero();
    double sum = 0.0, count = 0.0;
    for (std::size_t k = 0; k < cell.functions.size(); ++k) {
        F += p.col(cell.functions[k]) * cell.gradients.col(static_cast<Eigen::Index>(k)).transpose();
        if (level[static_cast<std::size_t>(cell.functions[k])] > 0) continue;
        sum += scale[cell.functions[k]];
        count += 1.0;
    }
    if (sum > 0.0) F *= count / sum;
    const Matrix3 E = 0.5 * (F.transpose() * F - Matrix3::Identity());
    return Eigen::SelfAdjointEigenSolver<Matrix3>(E, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs().maxCoeff();
}

/// Of each function, by the weights of the regions that hold it.
VectorX boneScales(const LatticeModel& model, const LatticeBody& body) {
    VectorX scales = VectorX::Zero(model.functionCount());
    for (const LatticeRegion& region : model.regions) {
        const double scale = body.bones[static_cast<std::size_t>(region.bone)].scale();
        for (Eigen::Index k = 0; k < region.blend.size(); ++k)
            scales[region.cells.functions[static_cast<std::size_t>(k)]] += region.blend[k] * scale;
    }
    return scales;
}

}  // namespace

void LatticeBatchData::adapt(LatticeBody& body) const {
    const VectorX scales = boneScales(*model, body);
    const int finest = *std::max_element(model->level.begin(), model->level.end());
    bool changed = false;
    for (std::size_t c = 0; c < model->strains.size(); ++c) {
        const double strain = principalStrain(model->strains[c], model->level, body.p, scales);
        int& level = body.refinements[c];
        const int before = level;
        if (strain > settings.refine)
            level = std::min(finest, level + 1);
        else if (strain < settings.coarsen)
            level = std::max(0, level - 1);
        changed = changed || level != before;
    }
    if (!changed) return;
    std::vector<bool> wanted(body.isFree.size(), false);
    for (std::size_t c = 0; c < model->strains.size(); ++c)
        for (const int a : model->strains[c].functions)
            if (body.refinements[c] >= model->level[static_cast<std::size_t>(a)])
                wanted[static_cast<std::size_t>(a)] = true;
    for (std::size_t a = 0; a < wanted.size(); ++a) {
        if (model->level[a] == 0 || wanted[a] == body.isFree[a]) continue;
        body.isFree[a] = wanted[a];
        body.fading[a] = wanted[a] ? 0 : settings.fadeSteps;
        body.systems = nullptr;
    }
}

const LatticeSystems* LatticeBatchData::systemsOf(const std::vector<bool>& solved) {
    const auto [place, isNew] = systems.try_emplace(solved);
    LatticeSystems& made = place->second;
    if (!isNew) return &made;
    made.number = systemsMade++;
    for (std::size_t i = 0; i < model->regions.size(); ++i) {
        const LatticeRegion& region = model->regions[i];
        std::vector<bool> own;
        for (const int a : region.cells.functions) own.push_back(solved[static_cast<std::size_t>(a)]);
        std::shared_ptr<const RegionSystem>& system = regionSystems[{i, own}];
        if (!system)
            system = std::make_shared<RegionSystem>(
                *model, region, solved, rates, settings.coreFactor * region.coreStiffness, settings.singlePrecision);
        made.regions.push_back(system);
        made.definite = made.definite && system->definite();
    }
    return &made;
}

void LatticeBatchData::forgetUnused() {
    if (systems.size() <= mostSystems) return;
    for (auto at = systems.begin(); at != systems.end();) {
        const bool used = std::any_of(bodies.begin(), bodies.end(),
                                      [&](const LatticeBody& body) { return body.systems == &at->second; });
        at = used ? std::next(at) : systems.erase(at);
    }
    for (auto at = regionSystems.begin(); at != regionSystems.end();)
        at = at->second.use_count() > 1 ? std::next(at) : regionSystems.erase(at);
}

void LatticeBatchData::prepare(double h, const std::vector<int>& listed) {
    if (rates.h != h) {
        rates = {h, h * settings.massDamping, h * settings.stiffnessDamping};
        for (LatticeBody& body : bodies) body.systems = nullptr;
        systems.clear();
        regionSystems.clear();
    }
    forgetUnused();
    order = listed;
    for (const int slot : order) {
        LatticeBody& body = bodies[static_cast<std::size_t>(slot)];
        if (settings.adapt) adapt(body);
        if (!body.systems) body.systems = systemsOf(body.isFree);
    }
    const auto numberOf = [&](int slot) { return bodies[static_cast<std::size_t>(slot)].systems->number; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return numberOf(a) < numberOf(b); });
    groups.clear();
    for (int begin = 0; begin < static_cast<int>(order.size());) {
        int end = begin + 1;
        while (end < static_cast<int>(order.size()) && end - begin < latticeLanes &&
               numberOf(order[static_cast<std::size_t>(end)]) == numberOf(order[static_cast<std::size_t>(begin)]))
            ++end;
        groups.push_back({begin, end - begin});
        begin = end;
    }
    reserve(static_cast<int>(groups.size()));
}

}  // namespace pliant
