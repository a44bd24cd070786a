// SPDX-License-Identifier: Zlib
// The state of some bodies of a model as NumPy arrays that follow the world.
#pragma once

#include <memory>
#include <vector>

#include "Arrays.h"
#include "btPliant/btPliantBody.h"
#include "pliant/model/EditMaterial.h"

namespace pliant::python {

/// Arrays of n bodies, allocated once: users hold views of them. A step of the world ends with refresh(), which writes
/// the same memory, so that no access copies anything.
class BodyArrays {
public:
    /// @param bodies of one model; they outlive this, or forget() is called
    BodyArrays(std::shared_ptr<const ReducedModel> model, std::vector<btPliantBody*> bodies);

    const std::shared_ptr<const ReducedModel>& model() const { return m_model; }
    py::ssize_t count() const { return static_cast<py::ssize_t>(m_bodies.size()); }
    /// @throws Error where they have been removed from the world
    void expectThere() const;
    /// A body. @throws IndexError, and Error where they have been removed from the world
    btPliantBody& body(py::ssize_t index) const;
    const std::vector<btPliantBody*>& bodies() const { return m_bodies; }

    /// Writes the present state. Needs the interpreter's lock.
    void refresh();
    /// Before steps of h seconds: bodies that were given no damping take the default one of such steps, as in scenes.
    void dampFor(double h);
    /// The bodies are no more; the arrays stay as they are.
    void forget() { m_bodies.clear(); }

    bool hasDefaultDamping = false;       ///< Nobody has given them any.
    std::vector<MaterialEdit> materials;  ///< In place of the model's own; one a material at most.

    py::array_t<double> q;                ///< (n, r), m sqrt(kg)
    py::array_t<double> qVelocity;        ///< (n, r), m sqrt(kg)/s
    py::array_t<double> position;         ///< (n, 3): origin of the mesh frame, m
    py::array_t<double> rotation;         ///< (n, 4): quaternion x, y, z, w of the mesh frame
    py::array_t<double> velocity;         ///< (n, 3): of the centre of mass, m/s
    py::array_t<double> angularVelocity;  ///< (n, 3): world axes, rad/s

private:
    std::shared_ptr<const ReducedModel> m_model;
    std::vector<btPliantBody*> m_bodies;
    double m_dampedFor = 0.0;  ///< The step of the default damping, s; 0: of none yet.
};

}  // namespace pliant::python
