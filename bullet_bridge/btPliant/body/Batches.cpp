// SPDX-License-Identifier: Zlib
#include "btPliant/body/Batches.h"

#include <algorithm>

#include "btPliant/data/ContactPair.h"
#include "pliant/model/CheckModel.h"
#include "pliant/model/TruncateModel.h"

namespace btPliantInternal {

BatchGroup& groupFor(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& model,
                     const pliant::BatchSettings& settings) {
    for (const auto& group : system.groups)
        if (group->model == model && group->batch->settings() == settings) return *group;
    auto group = std::make_unique<BatchGroup>();
    group->model = model;
    for (const auto& other : system.groups)
        if (other->model == model) {
            group->collision = other->collision;
            group->surface = other->surface;
            group->locator = other->locator;
        }
    if (!group->collision) {
        pliant::checkMotion(*model, "btPliantSystem::createBody");
        group->collision = std::make_shared<pliant::CollisionModel>(model);
        group->locator = std::make_shared<pliant::PointLocator>(model->mesh);
        if (model->contactSurface.exists()) group->surface = std::make_shared<pliant::SurfaceModel>(group->collision);
    }
    group->batch = std::make_unique<pliant::BodyBatch>(model, settings);
    system.groups.push_back(std::move(group));
    return *system.groups.back();
}

BatchGroup& groupFor(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& model,
                     const pliant::BatchSettings& settings, const BatchGroup& sameGeometry) {
    for (const auto& group : system.groups)
        if (group->model == model && group->batch->settings() == settings) return *group;
    auto group = std::make_unique<BatchGroup>();
    group->model = model;
    group->collision = sameGeometry.collision;
    group->surface = sameGeometry.surface;
    group->locator = sameGeometry.locator;
    group->batch = std::make_unique<pliant::BodyBatch>(model, settings);
    system.groups.push_back(std::move(group));
    return *system.groups.back();
}

std::shared_ptr<const pliant::ReducedModel> editedModel(SystemData& system,
                                                        const std::shared_ptr<const pliant::ReducedModel>& original,
                                                        const std::vector<pliant::MaterialEdit>& edits) {
    if (edits.empty()) return original;
    std::vector<SystemData::EditedModel>& known = system.editedModels;
    known.erase(std::remove_if(known.begin(), known.end(), [](const auto& entry) { return entry.edited.expired(); }),
                known.end());
    const auto same = [&](const pliant::MaterialEdit& a, const pliant::MaterialEdit& b) {
        return a.material == b.material && a.youngsModulus == b.youngsModulus && a.poissonRatio == b.poissonRatio &&
               a.stiffnessScale == b.stiffnessScale;
    };
    for (const SystemData::EditedModel& entry : known)
        if (entry.original == original &&
            std::equal(entry.edits.begin(), entry.edits.end(), edits.begin(), edits.end(), same))
            return entry.edited.lock();
    const std::shared_ptr<const pliant::ReducedModel> edited = pliant::withMaterial(*original, edits);
    known.push_back({original, edits, edited});
    return edited;
}

std::shared_ptr<const pliant::ReducedModel> findTruncated(const std::vector<SystemData::TruncatedModel>& known,
                                                          const std::shared_ptr<const pliant::ReducedModel>& full,
                                                          int dimension) {
    for (const SystemData::TruncatedModel& entry : known)
        if (entry.full == full && entry.truncated->dimension() == dimension) return entry.truncated;
    return nullptr;
}

void keepTruncated(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& full,
                   const std::shared_ptr<const pliant::ReducedModel>& truncated) {
    if (truncated != full && !findTruncated(system.truncatedModels, full, truncated->dimension()))
        system.truncatedModels.push_back({full, truncated});
}

std::shared_ptr<const pliant::ReducedModel> truncatedModel(std::vector<SystemData::TruncatedModel>& known,
                                                           const std::shared_ptr<const pliant::ReducedModel>& full,
                                                           int dimension) {
    if (dimension >= full->dimension()) return full;
    if (auto found = findTruncated(known, full, dimension)) return found;
    known.push_back({full, pliant::truncated(*full, dimension)});
    return known.back().truncated;
}

std::shared_ptr<const pliant::ReducedModel> truncatedModel(SystemData& system,
                                                           const std::shared_ptr<const pliant::ReducedModel>& full,
                                                           int dimension) {
    return truncatedModel(system.truncatedModels, full, dimension);
}

void removeFromGroup(SystemData& system, BatchGroup& group, int slot) {
    group.batch->remove(slot);
    if (--group.bodies > 0) return;
    system.groups.erase(std::find_if(system.groups.begin(), system.groups.end(),
                                     [&group](const std::unique_ptr<BatchGroup>& g) { return g.get() == &group; }));
}

void moveToGroup(BodyData& data, BatchGroup& target) {
    if (&target == data.group) return;
    BatchGroup& old = *data.group;
    const int from = data.slot, to = target.batch->add();
    ++target.bodies;
    if (target.model == old.model) {
        std::vector<std::byte> blob;
        old.batch->saveState(from, blob);
        target.batch->restoreState(to, blob.data(), blob.size());
        const pliant::BatchSettings &before = old.batch->settings(), &after = target.batch->settings();
        if (before.integrator != after.integrator || before.coupling != after.coupling) {
            target.batch->resetAcceleration(to);
            data.momentumIsKnown = false;
        }
    } else if (target.collision == old.collision) {  // other materials: coordinates and geometry are the same
        target.batch->q(to) = old.batch->q(from);
        target.batch->velocity(to) = old.batch->velocity(from);
        target.batch->setFrame(to, old.batch->frame(from));
        target.batch->resetAcceleration(to);
    } else {
        const Eigen::Index r = target.model->dimension(), common = std::min<Eigen::Index>(r, old.model->dimension());
        target.batch->q(to).head(common) = old.batch->q(from).head(common);
        target.batch->velocity(to).head(common) = old.batch->velocity(from).head(common);
        target.batch->setFrame(to, old.batch->frame(from));
        target.batch->resetAcceleration(to);
        data.previousQ.conservativeResizeLike(pliant::VectorX::Zero(r));
        data.modalContactForce.setZero(r);
        data.contactProjection.setZero(r);
        data.loadedVelocity.setZero(r);
        data.deformed = pliant::DeformedBody(target.collision, data.character ? data.character->crowd->skin : nullptr);
        if (target.surface) data.field.emplace(target.surface);
        data.travel = data.relativeTravel = MotionSince();
        // It has not travelled yet: lists of near segments that reckon with what the old one did are void.
        for (ContactPair* pair : dataOf(*data.system).pairs)
            if (&pair->a == data.body || pair->b == data.body) {
                pair->candidates = pliant::PairCandidates();
                pair->planeCandidates = pliant::PlaneCandidates();
                pair->surfaceCandidates = pliant::SurfacePairCandidates();
                pair->surfaceSides.clear();
                pair->cache = ContactPair::ContactCache();
            }
    }
    data.group = &target;
    data.slot = to;
    data.collisionIsOutdated = true;
    removeFromGroup(dataOf(*data.system), old, from);
}

}  // namespace btPliantInternal
