// SPDX-License-Identifier: Zlib
#include "btPliant/snapshot/SavedLevels.h"

#include "btPliant/body/Batches.h"

namespace btPliantInternal {

std::shared_ptr<const pliant::ReducedModel> SavedLevels::model(const BodyData& data, int moving) {
    if (moving == data.model().dimension()) return data.group->model;
    if (auto known = findTruncated(m_system.truncatedModels, data.fullModel, moving)) return known;
    return truncatedModel(m_models, data.fullModel, moving);
}

const pliant::BodyBatch& SavedLevels::batch(const std::shared_ptr<const pliant::ReducedModel>& model,
                                            const pliant::BatchSettings& settings) {
    for (const auto& group : m_system.groups)
        if (group->bodies > 0 && group->model == model && group->batch->settings() == settings) return *group->batch;
    for (const pliant::BodyBatch& made : m_batches)
        if (made.sharedModel() == model && made.settings() == settings) return made;
    m_batches.emplace_back(model, settings);
    m_batches.back().add();
    return m_batches.back();
}

pliant::StateStatus SavedLevels::check(const BodyData& data, const std::shared_ptr<const pliant::ReducedModel>& model,
                                       const std::byte* blob, std::size_t size) {
    if (model == data.group->model) return data.batch().checkState(data.slot, blob, size);
    const pliant::BodyBatch& other = batch(model, data.batch().settings());
    int slot = 0;  // any body has the shape of all of its batch
    while (slot < other.capacity() && !other.isUsed(slot)) ++slot;
    return other.checkState(slot, blob, size);
}

}  // namespace btPliantInternal
