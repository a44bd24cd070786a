// SPDX-License-Identifier: Zlib
#include "Bodies.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "Model.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

using Arrays = py::array_t<double> BodyArrays::*;

auto viewer(Arrays array) {
    return [array](const Bodies& self) { return readOnlyView((*self.arrays).*array); };
}

btVector3 vector(const Numbers& numbers, const char* name) {
    return toBullet(toVector3(numbers, name));
}

void place(const Bodies& self, const Numbers& position, const py::object& rotation, py::ssize_t index) {
    btPliantBody& body = self.body(index);
    btTransform frame = body.getMeshTransform();
    frame.setOrigin(vector(position, "position"));
    if (!rotation.is_none()) {
        const VectorX xyzw = toVector(toNumbers(rotation, "rotation"), 4, "rotation");
        frame.setBasis(toBullet(RigidTransform{toRotation(xyzw.data(), "rotation"), Vector3::Zero()}).getBasis());
    }
    body.setMeshTransform(frame);
    body.activate(true);
    self.arrays->refresh();
}

void setDeformation(const Bodies& self, const Numbers& q, const py::object& velocity, py::ssize_t index) {
    btPliantBody& body = self.body(index);
    const VectorX coordinates = toMeasured(q, body.getReducedCoordinates().size(), "q");
    const VectorX velocities = velocity.is_none()
                                   ? VectorX(body.getReducedVelocities())
                                   : toMeasured(toNumbers(velocity, "velocity"), coordinates.size(), "velocity");
    body.setReducedCoordinates(coordinates);
    body.setReducedVelocities(velocities);
    self.arrays->refresh();
}

void setVelocity(const Bodies& self, const Numbers& linear, const Numbers& angular, py::ssize_t index) {
    btPliantBody& body = self.body(index);
    const btVector3 v = vector(linear, "linear"), w = vector(angular, "angular");
    body.setLinearVelocity(v);
    body.setAngularVelocity(w);
    body.activate(true);
    self.arrays->refresh();
}

void applyImpulse(const Bodies& self, const Numbers& impulse, const Numbers& point, py::ssize_t index) {
    btPliantBody& body = self.body(index);
    body.applyImpulseAt(vector(point, "point"), vector(impulse, "impulse"));
    body.activate(true);
    self.arrays->refresh();
}

void applyForce(const Bodies& self, const Numbers& force, const Numbers& point, py::ssize_t index) {
    btPliantBody& body = self.body(index);
    body.applyForceAt(vector(point, "point"), vector(force, "force"));
    body.activate(true);
}

py::array_t<double> pointPosition(const Bodies& self, const Numbers& point, py::ssize_t index) {
    return arrayOf(fromBullet(self.body(index).getPointPosition(vector(point, "point"))));
}

/// The drawn surface of a body in the world.
py::array_t<double> verticesOf(const Bodies& self, py::ssize_t index) {
    const btPliantBody& body = self.body(index);
    VectorX q = VectorX::Zero(self.arrays->model()->dimension());
    q.head(body.getReducedCoordinates().size()) = body.getReducedCoordinates();
    const RigidTransform frame = fromBullet(body.getMeshTransform());
    const Points points = deformedSurface(*self.arrays->model(), q);
    return rowsOf((frame.rotation * points).colwise() + frame.translation);
}

void setDamping(const Bodies& self, double mass, double stiffness) {
    self.arrays->expectThere();
    const DampingSettings damping = toDamping(mass, stiffness);
    self.arrays->hasDefaultDamping = false;
    for (py::ssize_t i = 0; i < self.arrays->count(); ++i) self.body(i).setDamping(damping);
}

/// Numbers of the materials that a keyword means. @throws Error where there is none of that name or number
std::vector<int> materialsOf(const ReducedModel& model, const py::object& material) {
    const auto& known = model.mesh.materials;
    const auto count = static_cast<int>(known.size());
    const bool isName = py::isinstance<py::str>(material);
    const bool isNumber = PyIndex_Check(material.ptr()) && !PyBool_Check(material.ptr());
    const py::ssize_t wanted = isNumber ? PyNumber_AsSsize_t(material.ptr(), nullptr) : -1;
    PyErr_Clear();  // of arrays that are no single number
    std::vector<int> numbers;
    for (int number = 0; number < count; ++number) {
        const std::string& name = known[static_cast<std::size_t>(number)].name;
        if (material.is_none() || wanted == number || (isName && material.cast<std::string>() == name))
            numbers.push_back(number);
    }
    if (!numbers.empty()) return numbers;
    std::string names;
    for (const auto& one : known) names += (names.empty() ? "" : ", ") + one.name;
    throw Error("material", "none is " + py::repr(material).cast<std::string>(), "there are: " + names);
}

void setMaterial(const Bodies& self, const py::object& material, const std::optional<double>& young,
                 const std::optional<double>& poisson, const std::optional<double>& stiffness) {
    self.simulation->expectIdle();
    self.arrays->expectThere();
    std::vector<MaterialEdit> edits = self.arrays->materials;
    for (const int number : materialsOf(*self.arrays->model(), material)) {
        const auto isOfIt = [number](const MaterialEdit& one) { return one.material == number; };
        edits.erase(std::remove_if(edits.begin(), edits.end(), isOfIt), edits.end());
        MaterialEdit edit;
        edit.material = number;
        edit.youngsModulus = young;
        edit.poissonRatio = poisson;
        edit.stiffnessScale = stiffness;
        if (young || poisson || stiffness) edits.push_back(edit);
    }
    for (py::ssize_t i = 0; i < self.arrays->count(); ++i)  // of one model: the first one refuses, or none
        if (const std::string why = self.body(i).setMaterial(edits); !why.empty()) throw Error("material", why);
    self.arrays->materials = std::move(edits);
}

void addViews(py::class_<Bodies>& bodies) {
    bodies.def_property_readonly("q", viewer(&BodyArrays::q), "Reduced coordinates, (n, r), m sqrt(kg).")
        .def_property_readonly("q_velocity", viewer(&BodyArrays::qVelocity), "Their velocities, (n, r), m sqrt(kg)/s.")
        .def_property_readonly("position", viewer(&BodyArrays::position),
                               "Where the origin of the mesh's file is, (n, 3), m.")
        .def_property_readonly("rotation", viewer(&BodyArrays::rotation),
                               "How the mesh's file is turned, quaternions x, y, z, w, (n, 4).")
        .def_property_readonly("velocity", viewer(&BodyArrays::velocity),
                               "Velocities of the centres of mass, (n, 3), m/s.")
        .def_property_readonly("angular_velocity", viewer(&BodyArrays::angularVelocity),
                               "Angular velocities about the world's axes, (n, 3), rad/s.")
        .def_property_readonly(
            "model", [](const Bodies& self) { return ModelHandle{self.arrays->model()}; }, "What they are made of.")
        .def("__len__", [](const Bodies& self) { return self.arrays->count(); });
}

void addQuestions(py::class_<Bodies>& bodies) {
    const auto index = py::arg("index") = 0;
    bodies.def("vertices", &verticesOf, index, "The drawn vertices of a body in the world, (d, 3), m.")
        .def("point_position", &pointPosition, py::arg("point"), index,
             "Where a point (at rest, in the mesh's file) is now, world, m.")
        .def(
            "strain_energy", [](const Bodies& self, py::ssize_t i) { return self.body(i).getStrainEnergy(); }, index,
            "J.")
        .def(
            "kinetic_energy", [](const Bodies& self, py::ssize_t i) { return self.body(i).getKineticEnergy(); }, index,
            "Of frame and deformation, J.")
        .def(
            "is_asleep", [](const Bodies& self, py::ssize_t i) { return !self.body(i).isActive(); }, index,
            "Whether a body has come to rest and is no longer stepped.");
}

void addCommands(py::class_<Bodies>& bodies) {
    const auto index = py::arg("index") = 0;
    const auto origin = py::arg("point") = py::make_tuple(0.0, 0.0, 0.0);
    bodies
        .def("place", &place, py::arg("position"), py::arg("rotation") = py::none(), index,
             "Moves a body at once; velocities and deformation stay.")
        .def("set_velocity", &setVelocity, py::arg("linear"), py::arg("angular") = py::make_tuple(0.0, 0.0, 0.0), index,
             "Of the centre of mass, m/s, and about the world's axes, rad/s.")
        .def("set_deformation", &setDeformation, py::arg("q"), py::arg("velocity") = py::none(), index,
             "Sets the reduced coordinates of a body, and their velocities.")
        .def("apply_impulse", &applyImpulse, py::arg("impulse"), origin, index,
             "An impulse (world, N s) on a point (at rest, in the mesh's file), now.")
        .def("apply_force", &applyForce, py::arg("force"), origin, index,
             "A force (world, N) on a point (at rest, in the mesh's file) during the next step.")
        .def("set_damping", &setDamping, py::arg("mass") = 0.0, py::arg("stiffness") = 0.0,
             "Rayleigh damping of the deformation of all of them, 1/s and s.")
        .def("set_material", &setMaterial, py::arg("material") = py::none(), py::kw_only(),
             py::arg("young") = py::none(), py::arg("poisson") = py::none(), py::arg("stiffness") = py::none(),
             "Other constants for a material (its name or number; None: all) of all of them from the next step on: "
             "Young's modulus (Pa), Poisson's ratio, or a factor on the stiffness. They take the place of all that "
             "earlier calls said of these materials, and without any the model's own hold again; other materials "
             "stay. The deformation goes on as it is. It takes about as long as load() of the model; states that "
             "were saved before are refused until the materials are as they were then.");
}

}  // namespace

btPliantBody& Bodies::body(py::ssize_t index) const {
    simulation->expectIdle();
    return arrays->body(index);
}

DampingSettings toDamping(double mass, double stiffness) {
    BatchSettings settings;
    settings.damping.mass = mass;
    settings.damping.stiffness = stiffness;
    if (const std::string problem = problemOf(settings); !problem.empty()) throw Error("damping", problem);
    return settings.damping;
}

void addBodies(py::module_& module) {
    py::class_<Bodies> bodies(
        module, "Bodies",
        "Reduced bodies of one model. The arrays are read-only views of memory that every step writes anew: keep one, "
        "and it follows the world; copy() what shall stay.");
    addViews(bodies);
    addQuestions(bodies);
    addCommands(bodies);
}

}  // namespace pliant::python
