// SPDX-License-Identifier: Zlib
#include "pliant/model/ModelFingerprint.h"

#include <xxhash.h>

#include <memory>
#include <type_traits>
#include <vector>

namespace pliant {
namespace {

class Hash {
public:
    Hash() : m_state(XXH3_createState(), &XXH3_freeState) { XXH3_64bits_reset(m_state.get()); }

    template <typename Derived>
    void add(const Eigen::PlainObjectBase<Derived>& matrix) {
        const std::int64_t shape[2] = {matrix.rows(), matrix.cols()};
        bytes(shape, sizeof shape);
        bytes(matrix.data(), sizeof(typename Derived::Scalar) * static_cast<std::size_t>(matrix.size()));
    }
    template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
    void add(Number number) {
        bytes(&number, sizeof number);
    }
    template <typename Number>
    void add(const std::vector<Number>& numbers) {
        add(numbers.size());
        bytes(numbers.data(), sizeof(Number) * numbers.size());
    }
    void add(const ContactSurface& surface) {
        add(surface.thickness);
        add(surface.shell.normals);
        add(surface.shell.capRadii);
        add(surface.shell.capAngles);
        add(surface.shell.areas);
        const DistanceField& field = surface.field;
        add(field.origin);
        add(field.bricks);
        for (const double number : {field.spacing, field.unit, field.offset}) add(number);
        add(field.corners);
        add(field.brickSamples);
        add(field.samples);
        const ContactLattice& lattice = surface.lattice;
        add(lattice.origin);
        add(lattice.spacing);
        add(lattice.cells);
        add(lattice.cellNumbers);
        add(lattice.cellPlaces);
        add(lattice.cellVertices);
        add(lattice.basis);
        if (surface.touch.count() == 0) return;
        add(surface.touch.positions);
        add(surface.touch.areas);
        add(surface.touch.levels);
    }
    std::uint64_t result() const { return XXH3_64bits_digest(m_state.get()); }

private:
    void bytes(const void* data, std::size_t size) {
        if (size > 0) XXH3_64bits_update(m_state.get(), data, size);
    }
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> m_state;
};

}  // namespace

std::uint64_t fingerprint(const ReducedModel& model) {
    Hash hash;
    hash.add(static_cast<unsigned char>(model.anchored));
    hash.add(model.meshFromBody.rotation);
    hash.add(model.meshFromBody.translation);
    hash.add(model.basis);
    hash.add(model.energy.linearStiffness);
    hash.add(model.energy.cubic);
    hash.add(model.energy.quartic);
    hash.add(model.inertia.mass);
    hash.add(model.inertia.principalInertia);
    hash.add(model.inertia.translation);
    hash.add(model.inertia.rotation);
    for (const Matrix3& m : model.inertia.first) hash.add(m);
    for (const Matrix3& m : model.inertia.second) hash.add(m);
    for (const Vector3& v : model.inertia.coriolis) hash.add(v);
    hash.add(model.skeleton.restCentres);
    hash.add(model.skeleton.radii);
    hash.add(model.skeleton.basis);
    hash.add(model.skeleton.segments);
    if (model.contactSurface.exists() || model.contactSurface.shell.count() > 0) hash.add(model.contactSurface);
    return hash.result();
}

}  // namespace pliant
