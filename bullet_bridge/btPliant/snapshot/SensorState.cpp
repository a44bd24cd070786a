// SPDX-License-Identifier: Zlib
// Contact sensors of a saved world: sums and filters, by order of creation. Their points are those of the manifolds.
#include "btPliant/data/SystemData.h"
#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

namespace btPliantInternal {

namespace {

template <typename Numbers, typename Vector, typename Scalar>
void visitNumbers(Numbers& n, const Vector& vector, const Scalar& scalar) {
    for (auto* x :
         {&n.sums.normal, &n.sums.split, &n.sums.depth, &n.step, &n.filteredNormalForce, &n.accumulatedSeconds})
        scalar(*x);
    for (auto* v : {&n.sums.impulse, &n.sums.friction, &n.sums.angularImpulse, &n.filteredForce, &n.filteredTorque,
                    &n.accumulatedImpulse})
        vector(*v);
}

}  // namespace

void putSensors(const SystemData& system, pliant::StateWriter& out) {
    const PutNumbers put{out};
    out.put(static_cast<std::uint64_t>(system.sensors.size()));
    for (const auto& sensor : system.sensors) {
        const SensorNumbers& numbers = dataOf(*sensor).numbers;
        put(numbers.sums.count);
        visitNumbers(numbers, put, [&out](double x) { out.put(x); });
    }
}

bool getSensors(pliant::StateReader& in, std::vector<SensorNumbers>& sensors) {
    const GetNumbers get{in};
    constexpr std::size_t most = 1000000;
    const std::size_t count = in.getCount(most);
    for (std::size_t s = 0; s < count && in.ok(); ++s) {
        sensors.emplace_back();
        get(sensors.back().sums.count);
        visitNumbers(sensors.back(), get, [&in](double& x) { in.get(&x, 1); });
    }
    return in.ok();
}

void applySensors(SystemData& system, const std::vector<SensorNumbers>& sensors) {
    for (std::size_t s = 0; s < system.sensors.size(); ++s) {
        dataOf(*system.sensors[s]).numbers = s < sensors.size() ? sensors[s] : SensorNumbers();
        dataOf(*system.sensors[s]).readings.clear();
    }
}

}  // namespace btPliantInternal
