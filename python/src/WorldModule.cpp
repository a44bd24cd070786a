// SPDX-License-Identifier: Zlib
// pliant.World as Python sees it.
#include <pybind11/stl.h>

#include <cmath>
#include <cstring>

#include "Model.h"
#include "World.h"
#include "WorldPicture.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/DefaultDamping.h"

namespace pliant::python {
namespace {

using WorldClass = py::class_<World, Simulation, std::shared_ptr<World>>;

/// A contact as a row of a NumPy array with named columns.
struct Contact {
    int first, second;   ///< numbers of the bodies; -1: none of the world's
    double position[3];  ///< on the second body, m
    double normal[3];    ///< from the second to the first
    double distance;     ///< m, negative where they are in each other
    double impulse;      ///< along the normal in the last step, N s
};

RigidSettings settingsOf(const Numbers& position, const Numbers& rotation, double mass, double friction,
                         double restitution) {
    RigidSettings settings;
    settings.position = toVector3(position, "position");
    settings.rotation = toRotation(toVector(rotation, 4, "rotation").data(), "rotation");
    settings.mass = mass;
    settings.friction = friction;
    settings.restitution = restitution;
    return settings;
}

py::array_t<Contact> contactsOf(World& world) {
    world.expectIdle();
    std::vector<Contact> contacts;
    btDispatcher& dispatcher = *world.bullet().getDispatcher();
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
        for (int p = 0; p < manifold.getNumContacts(); ++p) {
            const btManifoldPoint& point = manifold.getContactPoint(p);
            Contact contact{world.numberOf(*manifold.getBody0()), world.numberOf(*manifold.getBody1()), {}, {},
                            double(point.getDistance()),          double(point.getAppliedImpulse())};
            std::copy_n(static_cast<const btScalar*>(point.getPositionWorldOnB()), 3, contact.position);
            std::copy_n(static_cast<const btScalar*>(point.m_normalWorldOnB), 3, contact.normal);
            contacts.push_back(contact);
        }
    }
    return py::array_t<Contact>(static_cast<py::ssize_t>(contacts.size()), contacts.data());
}

Bodies addModelBodies(const std::shared_ptr<World>& world, const ModelHandle& model, const Numbers& position,
                      const Numbers& rotation, const Numbers& velocity, const Numbers& angularVelocity,
                      const py::object& damping, double friction, double restitution, bool kinematic,
                      bool selfContact) {
    world->expectIdle();
    const py::ssize_t count = position.ndim() == 2 ? position.shape(0) : 1;
    const Numbers places = toRows(position, count, 3, "position"), turns = toRows(rotation, count, 4, "rotation"),
                  speeds = toRows(velocity, count, 3, "velocity"),
                  spins = toRows(angularVelocity, count, 3, "angular_velocity");
    btPliantBodyInfo info;
    info.m_damping = defaultDamping(*model.model);
    if (!damping.is_none()) {
        const VectorX pair = toVector(toNumbers(damping, "damping"), 2, "damping");
        info.m_damping = toDamping(pair[0], pair[1]);
    }
    if (!(std::abs(friction) <= kLargest && std::abs(restitution) <= kLargest))
        throw Error("friction, restitution", "they have to be finite, and not beyond 1e15");
    info.m_friction = static_cast<btScalar>(friction);
    info.m_restitution = static_cast<btScalar>(restitution);
    info.m_kinematic = kinematic;
    info.m_selfContact = selfContact;
    std::vector<btPliantBodyInfo> infos;
    const auto row = [](const Numbers& rows, py::ssize_t i) {
        return toBullet(Vector3(Eigen::Map<const Vector3>(rows.data(i, 0))));
    };
    for (py::ssize_t i = 0; i < count; ++i) {
        const RigidTransform turn{toRotation(turns.data(i, 0), "rotation"), Vector3::Zero()};
        info.m_meshTransform = btTransform(toBullet(turn).getBasis(), row(places, i));
        info.m_linearVelocity = row(speeds, i);
        info.m_angularVelocity = row(spins, i);
        infos.push_back(info);
    }
    Bodies bodies{world, world->add(model.model, infos)};
    bodies.arrays->hasDefaultDamping = damping.is_none();
    return bodies;
}

py::object castRay(World& world, const Numbers& from, const Numbers& to) {
    world.expectIdle();
    const btVector3 start = toBullet(toVector3(from, "start")), end = toBullet(toVector3(to, "end"));
    btCollisionWorld::ClosestRayResultCallback hit(start, end);
    world.bullet().updateAabbs();
    world.bullet().rayTest(start, end, hit);
    if (!hit.hasHit()) return py::none();
    py::dict result;
    result["body"] = world.numberOf(*hit.m_collisionObject);
    result["point"] = arrayOf(fromBullet(hit.m_hitPointWorld));
    result["normal"] = arrayOf(fromBullet(hit.m_hitNormalWorld));
    return result;
}

py::dict rigidState(World& world, int number) {
    world.expectIdle();
    const btRigidBody& body = world.rigid(number).body();
    const btTransform& frame = body.getWorldTransform();
    const btQuaternion turn = frame.getRotation();
    py::dict state;
    state["position"] = arrayOf(fromBullet(frame.getOrigin()));
    state["rotation"] =
        arrayOf(Eigen::Vector4d(double(turn.x()), double(turn.y()), double(turn.z()), double(turn.w())));
    state["velocity"] = arrayOf(fromBullet(body.getLinearVelocity()));
    state["angular_velocity"] = arrayOf(fromBullet(body.getAngularVelocity()));
    return state;
}

/// The world's own time, and behind it what the system saves.
py::bytes savedState(World& world) {
    world.expectIdle();
    std::vector<std::byte> blob;
    world.system().saveState(blob);
    const double time = world.time();
    std::string bytes(reinterpret_cast<const char*>(&time), sizeof time);
    bytes.append(reinterpret_cast<const char*>(blob.data()), blob.size());
    return py::bytes(bytes);
}

void restoreState(World& world, const py::bytes& state) {
    world.expectIdle();
    const std::string_view bytes = state;
    double time = 0.0;
    StateStatus status = StateStatus::NotAState;
    if (bytes.size() > sizeof time) {
        std::memcpy(&time, bytes.data(), sizeof time);
        const std::string_view blob = bytes.substr(sizeof time);
        status = std::isfinite(time)
                     ? world.system().restoreState(reinterpret_cast<const std::byte*>(blob.data()), blob.size())
                     : StateStatus::BadNumber;
    }
    if (status != StateStatus::Ok) throw Error("state", std::string(describe(status)) + "; nothing was changed");
    world.setTime(time);
    world.refresh();
}

const py::tuple kOrigin() {
    return py::make_tuple(0.0, 0.0, 0.0);
}
const py::tuple kUpright() {
    return py::make_tuple(0.0, 0.0, 0.0, 1.0);
}

/// A method that makes a rigid body; its last arguments are those of settingsOf().
template <typename... Size, typename Maker>
auto adder(const Maker& make) {
    return [make](World& world, const Size&... size, const Numbers& position, const Numbers& rotation, double mass,
                  double friction, double restitution) {
        world.expectIdle();
        return world.addRigid(make(size..., settingsOf(position, rotation, mass, friction, restitution)));
    };
}

void addRigidBodies(WorldClass& world) {
    const auto position = py::arg("position") = kOrigin();
    const auto rotation = py::arg("rotation") = kUpright();
    const auto mass = py::arg("mass") = 0.0, friction = py::arg("friction") = 0.5,
               restitution = py::arg("restitution") = 0.0;
    world
        .def(
            "add_plane",
            [](World& self, const Numbers& normal, double offset, double f, double e) {
                self.expectIdle();
                RigidSettings settings;
                settings.friction = f;
                settings.restitution = e;
                return self.addRigid(createPlane(toVector3(normal, "normal"), offset, settings));
            },
            py::arg("normal") = py::make_tuple(0.0, 0.0, 1.0), py::arg("offset") = 0.0, py::arg("friction") = 0.8,
            restitution, "Adds the ground normal . x = offset. Gives the body's number.")
        .def("add_box", adder<Numbers>([](const Numbers& size, const RigidSettings& settings) {
                 return createBox(toVector3(size, "size"), settings);
             }),
             py::arg("size"), position, rotation, mass, friction, restitution,
             "Adds a box by its edges, m; static where its mass is 0. Gives the body's number.")
        .def("add_sphere", adder<double>(&createSphere), py::arg("radius"), position, rotation, mass, friction,
             restitution, "Adds a sphere. Gives the body's number.")
        .def("add_capsule", adder<double, double>(&createCapsule), py::arg("radius"), py::arg("height"), position,
             rotation, mass, friction, restitution,
             "Adds a capsule along its own z, `height` between the centres of its caps, m. Gives the body's number.")
        .def("add_cylinder", adder<double, double>(&createCylinder), py::arg("radius"), py::arg("height"), position,
             rotation, mass, friction, restitution, "Adds a cylinder along its own z. Gives the body's number.")
        .def("add_mesh", adder<Numbers, py::object>(&createMesh), py::arg("vertices"), py::arg("triangles"), position,
             rotation, mass, friction, restitution, "Adds triangles that do not move. Gives the body's number.")
        .def("rigid_state", &rigidState, py::arg("body"),
             "Position, rotation (x, y, z, w) and velocities of a rigid body by its number, a dict.");
}

void addMethods(WorldClass& world) {
    world
        .def("step", &World::step, py::arg("h") = 1.0 / 240.0, py::arg("count") = 1,
             "Makes `count` steps of h seconds, 1e-6 to 1e6. Other threads of Python run meanwhile.")
        .def_property_readonly(
            "time",
            [](World& self) {
                self.expectIdle();
                return self.time();
            },
            "Simulated time, s.")
        .def(
            "save_state", &savedState,
            "What moves, with contacts and time, as bytes. The world, or one that was built the same way, goes on from "
            "there with the same bits.")
        .def("restore_state", &restoreState, py::arg("state"),
             "Restores what save_state() gave, all or nothing: an Error says why not.")
        .def("add", &addModelBodies, py::arg("model"), py::arg("position") = kOrigin(), py::kw_only(),
             py::arg("rotation") = kUpright(), py::arg("velocity") = kOrigin(), py::arg("angular_velocity") = kOrigin(),
             py::arg("damping") = py::none(), py::arg("friction") = 0.5, py::arg("restitution") = 0.0,
             py::arg("kinematic") = false, py::arg("self_contact") = false,
             "Adds a body, or one for each row of `position` (n, 3). Other keywords hold for all, or have n rows. "
             "`damping` is a pair (mass, stiffness) of Rayleigh's, 1/s and s; None: 2 % of critical, "
             "and a hundredth of the step for what vibrates faster than it, as scenes have it.")
        .def(
            "remove",
            [](World& self, const Bodies& bodies) {
                self.expectIdle();
                if (bodies.simulation.get() != &self) throw Error("bodies", "they are of another world");
                self.remove(*bodies.arrays);
            },
            py::arg("bodies"), "Takes bodies out of the world; their arrays stay as they are.")
        .def(
            "numbers",
            [](World& self, const Bodies& bodies) {
                self.expectIdle();
                if (bodies.simulation.get() != &self) throw Error("bodies", "they are of another world");
                bodies.arrays->expectThere();
                std::vector<int> numbers;
                for (const btPliantBody* body : bodies.arrays->bodies()) numbers.push_back(self.numberOf(*body));
                return numbers;
            },
            py::arg("bodies"), "The numbers that contacts() and ray() know bodies by.")
        .def("contacts", &contactsOf,
             "All contacts of the last step: an array with the columns first, second (numbers of bodies), position, "
             "normal, distance (m) and impulse (N s).")
        .def("ray", &castRay, py::arg("start"), py::arg("end"),
             "What a ray hits first, as it is deformed: a dict of body, point and normal; None where it hits nothing.")
        .def(
            "picture",
            [](World& self, const py::object& path, int width, int height, const py::object& eye,
               const py::object& target, double fieldOfView) {
                self.expectIdle();
                return self.picture().take({path, width, height, eye, target, fieldOfView});
            },
            py::arg("path") = py::none(), py::kw_only(), py::arg("width") = 1280, py::arg("height") = 720,
            py::arg("eye") = py::none(), py::arg("target") = py::none(), py::arg("field_of_view") = 35.0,
            "Draws the world without a window: (height, width, 3) bytes, written to `path` as well where one is given. "
            "Without eye and target all bodies are seen. `field_of_view` is vertical, degrees.");
}

}  // namespace

void addWorld(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(Contact, first, second, position, normal, distance, impulse);
    WorldClass world(module, "World", "A Bullet world of its own, with reduced and rigid bodies.");
    world.def(py::init([](const Numbers& gravity, int threads, int iterations) {
                  return std::make_shared<World>(toVector3(gravity, "gravity"), threads, iterations);
              }),
              py::arg("gravity") = py::make_tuple(0.0, 0.0, -9.81), py::arg("threads") = 0, py::arg("iterations") = 10,
              "`gravity` in m/s^2. `threads` 0 = all cores; their number changes no bit.");
    addMethods(world);
    addRigidBodies(world);
}

}  // namespace pliant::python
