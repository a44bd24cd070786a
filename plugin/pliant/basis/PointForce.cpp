// SPDX-License-Identifier: Zlib
#include "pliant/basis/PointForce.h"

#include <memory>

#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"

namespace pliant {

VectorX vertexLoads(const VolumeMesh& mesh, const std::vector<PointForce>& forces) {
    VectorX loads = VectorX::Zero(3 * static_cast<Eigen::Index>(mesh.vertexCount()));
    std::unique_ptr<PointLocator> locator;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const PointForce& f = forces[i];
        const std::string where = "force " + std::to_string(i + 1);
        if (!f.force.allFinite() || !f.position.allFinite()) throw Error(where, "is not finite");
        if (f.vertex >= mesh.vertexCount())
            throw Error(where,
                        "acts at vertex " + std::to_string(f.vertex + 1) + ", but the simulation mesh has " +
                            std::to_string(mesh.vertexCount()),
                        "name a position instead");
        if (f.vertex >= 0) {
            loads.segment<3>(3 * f.vertex) += f.force;
            continue;
        }
        if (!locator) locator = std::make_unique<PointLocator>(mesh);
        const MaterialPoint point = locator->locate(f.position);
        for (std::size_t c = 0; c < point.vertex.size(); ++c)
            loads.segment<3>(3 * point.vertex[c]) += point.weight[c] * f.force;
    }
    return loads;
}

}  // namespace pliant
