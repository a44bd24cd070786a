// SPDX-License-Identifier: Zlib
// Internal: what the states of bodies at other levels of detail are checked against.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "btPliant/data/SystemData.h"
#include "pliant/runtime/snapshot/StateBlob.h"

namespace btPliantInternal {

/// Batches and models of the levels of detail in a saved state, each made once for all bodies of it: to make one takes
/// r^5 operations. They are beside the system, which gets to know of a model by keepTruncated() once the whole state is
/// accepted: a refused one leaves nothing behind.
class SavedLevels {
public:
    explicit SavedLevels(const SystemData& system) : m_system(system) {}
    /// The body's model with that many coordinates.
    std::shared_ptr<const pliant::ReducedModel> model(const BodyData& data, int moving);
    /// What a batch of that model and of the body's settings says of a saved state's part.
    pliant::StateStatus check(const BodyData& data, const std::shared_ptr<const pliant::ReducedModel>& model,
                              const std::byte* blob, std::size_t size);

private:
    const pliant::BodyBatch& batch(const std::shared_ptr<const pliant::ReducedModel>& model,
                                   const pliant::BatchSettings& settings);
    const SystemData& m_system;
    std::vector<SystemData::TruncatedModel> m_models;  ///< Those that the system does not have.
    std::vector<pliant::BodyBatch> m_batches;          ///< Those that no group of the system has, of a body each.
};

}  // namespace btPliantInternal
