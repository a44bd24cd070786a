// SPDX-License-Identifier: Zlib
// Internal: bodies of one model and the same settings share a batch; a body whose settings or coordinates change moves
// to another.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// The batch of a model and settings, made when there is none.
BatchGroup& groupFor(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& model,
                     const pliant::BatchSettings& settings);
/// The model with that many coordinates, made once.
std::shared_ptr<const pliant::ReducedModel> truncatedModel(SystemData& system,
                                                           const std::shared_ptr<const pliant::ReducedModel>& full,
                                                           int dimension);
/// The model with that many coordinates among those that are known, or null.
std::shared_ptr<const pliant::ReducedModel> findTruncated(const std::vector<SystemData::TruncatedModel>& known,
                                                          const std::shared_ptr<const pliant::ReducedModel>& full,
                                                          int dimension);
/// The same, made and added to `known` where it is not among them.
std::shared_ptr<const pliant::ReducedModel> truncatedModel(std::vector<SystemData::TruncatedModel>& known,
                                                           const std::shared_ptr<const pliant::ReducedModel>& full,
                                                           int dimension);
/// Has truncatedModel() give a model that was made of `full` elsewhere, unless it knows one or has no need to.
void keepTruncated(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& full,
                   const std::shared_ptr<const pliant::ReducedModel>& truncated);
/// As the first groupFor(), for a model that differs from that of another batch in its materials alone: geometry is
/// shared.
BatchGroup& groupFor(SystemData& system, const std::shared_ptr<const pliant::ReducedModel>& model,
                     const pliant::BatchSettings& settings, const BatchGroup& sameGeometry);
/// The model with other materials, made once. @throws pliant::Error
std::shared_ptr<const pliant::ReducedModel> editedModel(SystemData& system,
                                                        const std::shared_ptr<const pliant::ReducedModel>& original,
                                                        const std::vector<pliant::MaterialEdit>& edits);
/// Frees the slot of a body, and the batch with its last one.
void removeFromGroup(SystemData& system, BatchGroup& group, int slot);
/// Takes a body's state along to another batch: other settings, or a prefix of the coordinates.
void moveToGroup(BodyData& data, BatchGroup& target);

}  // namespace btPliantInternal
