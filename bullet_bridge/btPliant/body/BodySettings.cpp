// SPDX-License-Identifier: Zlib
// Bodies of one model and the same settings share a batch; a body whose settings or coordinates change moves to
// another.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/step/SystemData.h"
#include "pliant/model/TruncateModel.h"

using btPliantInternal::BatchGroup;

std::shared_ptr<const pliant::ReducedModel> btPliantSystem::Data::truncatedModel(
    const std::shared_ptr<const pliant::ReducedModel>& full, int dimension) {
    if (dimension >= full->dimension()) return full;
    for (const TruncatedModel& known : truncatedModels)
        if (known.full == full && known.truncated->dimension() == dimension) return known.truncated;
    truncatedModels.push_back({full, pliant::truncated(*full, dimension)});
    return truncatedModels.back().truncated;
}

void btPliantSystem::Data::removeFromGroup(BatchGroup& group, int slot) {
    group.batch->remove(slot);
    if (--group.bodies > 0) return;
    groups.erase(std::find_if(groups.begin(), groups.end(),
                              [&group](const std::unique_ptr<BatchGroup>& g) { return g.get() == &group; }));
}

void btPliantBody::Data::moveTo(BatchGroup& target) {
    if (&target == group) return;
    BatchGroup& old = *group;
    const int from = slot, to = target.batch->add();
    ++target.bodies;
    if (target.model == old.model) {
        std::vector<std::byte> blob;
        old.batch->saveState(from, blob);
        target.batch->restoreState(to, blob.data(), blob.size());
        const pliant::BatchSettings &before = old.batch->settings(), &after = target.batch->settings();
        if (before.integrator != after.integrator || before.coupling != after.coupling) {
            target.batch->resetAcceleration(to);
            momentumIsKnown = false;
        }
    } else {
        const Eigen::Index r = target.model->dimension(), common = std::min<Eigen::Index>(r, old.model->dimension());
        target.batch->q(to).head(common) = old.batch->q(from).head(common);
        target.batch->velocity(to).head(common) = old.batch->velocity(from).head(common);
        target.batch->setFrame(to, old.batch->frame(from));
        target.batch->resetAcceleration(to);
        previousQ.conservativeResizeLike(pliant::VectorX::Zero(r));
        modalContactForce.setZero(r);
        contactProjection.setZero(r);
        deformed = pliant::DeformedBody(target.collision);
        if (target.surface) field.emplace(target.surface);
        travelBefore = relativeMotionBoundBefore = 0;
        // It has not travelled yet: lists of near segments that reckon with what the old one did are void.
        for (btPliantInternal::ContactPair* pair : system->data().pairs)
            if (&pair->a == body || pair->b == body) {
                pair->candidates = pliant::PairCandidates();
                pair->planeCandidates = pliant::PlaneCandidates();
                pair->surfaceCandidates = pliant::SurfacePairCandidates();
                pair->cache = btPliantInternal::ContactPair::ContactCache();
            }
    }
    group = &target;
    slot = to;
    collisionIsOutdated = true;
    system->data().removeFromGroup(old, from);
}

void btPliantBody::Data::setSettings(const pliant::BatchSettings& settings) {
    moveTo(system->data().groupFor(group->model, settings));
    body->activate(true);
}

const pliant::BatchSettings& btPliantBody::getSettings() const {
    return getBatch().settings();
}

void btPliantBody::setDamping(const pliant::DampingSettings& damping) {
    pliant::BatchSettings settings = getSettings();
    settings.damping = damping;
    m_data->setSettings(settings);
}

void btPliantBody::setNewmark(const pliant::NewmarkSettings& newmark) {
    pliant::BatchSettings settings = getSettings();
    settings.newmark = newmark;
    m_data->setSettings(settings);
}

void btPliantBody::setCoupling(pliant::Coupling coupling) {
    pliant::BatchSettings settings = getSettings();
    settings.coupling = coupling;
    m_data->setSettings(settings);
}

void btPliantBody::setIntegrator(pliant::Integrator integrator) {
    pliant::BatchSettings settings = getSettings();
    settings.integrator = integrator;
    m_data->setSettings(settings);
}
