// SPDX-License-Identifier: Zlib
#include "BodyArrays.h"

#include "pliant/math/Error.h"
#include "pliant/runtime/DefaultDamping.h"

namespace pliant::python {
namespace {

py::array_t<double> zeros(std::size_t rows, py::ssize_t columns) {
    py::array_t<double> array({static_cast<py::ssize_t>(rows), columns});
    std::fill_n(array.mutable_data(), array.size(), 0.0);
    return array;
}

void write(py::array_t<double>& array, py::ssize_t row, const btScalar* numbers) {
    std::copy_n(numbers, array.shape(1), array.mutable_data(row, 0));
}

/// The first numbers of a row; the level of detail may have fewer than the model.
void write(py::array_t<double>& array, py::ssize_t row, const ConstVectorView& numbers) {
    double* to = array.mutable_data(row, 0);
    std::fill_n(to, array.shape(1), 0.0);
    std::copy_n(numbers.data(), std::min<py::ssize_t>(array.shape(1), numbers.size()), to);
}

}  // namespace

BodyArrays::BodyArrays(std::shared_ptr<const ReducedModel> model, std::vector<btPliantBody*> bodies)
    : q(zeros(bodies.size(), model->dimension())),
      qVelocity(zeros(bodies.size(), model->dimension())),
      position(zeros(bodies.size(), 3)),
      rotation(zeros(bodies.size(), 4)),
      velocity(zeros(bodies.size(), 3)),
      angularVelocity(zeros(bodies.size(), 3)),
      m_model(std::move(model)),
      m_bodies(std::move(bodies)) {
    refresh();
}

void BodyArrays::expectThere() const {
    if (m_bodies.empty() && q.shape(0) > 0) throw Error("bodies", "they have been removed from the world");
}

btPliantBody& BodyArrays::body(py::ssize_t index) const {
    expectThere();
    if (index < 0) index += count();
    if (index < 0 || index >= count()) throw py::index_error("there are " + std::to_string(count()) + " bodies");
    return *m_bodies[static_cast<std::size_t>(index)];
}

void BodyArrays::dampFor(double h) {
    if (!hasDefaultDamping || h == m_dampedFor) return;
    m_dampedFor = h;
    const DampingSettings damping = defaultDamping(*m_model, h);
    for (btPliantBody* body : m_bodies)
        if (damping.stiffness != body->getSettings().damping.stiffness) body->setDamping(damping);
}

void BodyArrays::refresh() {
    for (py::ssize_t i = 0; i < count(); ++i) {
        const btPliantBody& body = *m_bodies[static_cast<std::size_t>(i)];
        const btTransform frame = body.getMeshTransform();
        write(q, i, body.getReducedCoordinates());
        write(qVelocity, i, body.getReducedVelocities());
        write(position, i, frame.getOrigin());
        write(rotation, i, frame.getRotation());
        write(velocity, i, body.getLinearVelocity());
        write(angularVelocity, i, body.getAngularVelocity());
    }
}

}  // namespace pliant::python
