// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneFields.h"

#include <btBulletDynamicsCommon.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/Silhouette.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::toBullet;
using pliant::Vector3;
using pliant::scene::Field;
using pliant::scene::FieldKind;

constexpr int kPatches = 48;           // of a surface; more change the force of a body by less than a hundredth
constexpr double kWakingShare = 0.05;  // of the weight on earth: what wakes a body that sleeps

/// Triangles in the middle of equal shares of the surface, in the order of the file.
std::vector<SurfacePatch> patchesOf(const pliant::ReducedModel& model) {
    const pliant::SurfaceMesh& surface = model.surface;
    std::vector<double> upTo;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const auto corner = [&](int c) { return Vector3(surface.positions.col(surface.triangles(c, t))); };
        const double area = 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
        upTo.push_back((upTo.empty() ? 0.0 : upTo.back()) + area);
    }
    std::vector<SurfacePatch> patches;
    if (upTo.empty() || !(upTo.back() > 0.0) || model.surfaceEmbedding.empty()) return patches;
    const double share = upTo.back() / kPatches;
    for (int i = 0; i < kPatches; ++i) {
        const auto t = std::lower_bound(upTo.begin(), upTo.end(), (i + 0.5) * share) - upTo.begin();
        const auto index = static_cast<std::size_t>(t);
        SurfacePatch patch;
        for (int c = 0; c < 3; ++c)
            patch.corners[static_cast<std::size_t>(c)] =
                model.surfaceEmbedding[static_cast<std::size_t>(surface.triangles(c, static_cast<int>(t)))];
        patch.areaShare = share / (upTo[index] - (index > 0 ? upTo[index - 1] : 0.0));
        patches.push_back(patch);
    }
    return patches;
}

/// The force of air that streams by with velocity u over an area that it sees, N.
Vector3 airForce(const Field& field, double area, const Vector3& u) {
    return 0.5 * field.density * field.drag * area * u.norm() * u;
}

void push(btRigidBody& body, double mass, const Vector3& force) {
    if (!body.isActive() && force.norm() > kWakingShare * 9.81 * mass) body.activate(true);
    body.applyCentralForce(toBullet(force));
}

/// Air on a reduced body: on every patch as it is now.
void blow(SceneField& field, btPliantBody& body, const std::vector<SurfacePatch>& patches) {
    std::array<Vector3, kPatches> forces;
    double total = 0.0;
    for (std::size_t p = 0; p < patches.size(); ++p) {
        std::array<Vector3, 3> x;
        Vector3 velocity = Vector3::Zero();
        for (std::size_t c = 0; c < 3; ++c) {
            x[c] = fromBullet(body.getPointPosition(patches[p].corners[c]));
            velocity += fromBullet(body.getPointVelocity(patches[p].corners[c])) / 3.0;
        }
        const Vector3 area = 0.5 * patches[p].areaShare * (x[1] - x[0]).cross(x[2] - x[0]);
        const Vector3 u = field.at((x[0] + x[1] + x[2]) / 3.0) - velocity;
        const double speed = u.norm();
        const double seen = speed > 0.0 ? 0.5 * std::abs(area.dot(u)) / speed : 0.0;  // half from either side
        forces[p] = airForce(field.field, seen, u);
        total += forces[p].norm();
    }
    if (!body.isActive() && total > kWakingShare * 9.81 * body.getModel().totalMass()) body.activate(true);
    for (std::size_t p = 0; p < patches.size(); ++p)
        for (const pliant::MaterialPoint& corner : patches[p].corners)
            body.applyForceAt(corner, toBullet(Vector3(forces[p] / 3.0)));
}

void blow(SceneField& field, btRigidBody& body) {
    const Vector3 u = field.at(fromBullet(body.getCenterOfMassPosition())) - fromBullet(body.getLinearVelocity());
    if (!(u.norm() > 0.0)) return;
    const Vector3 direction =
        fromBullet(toBullet(Vector3(u.normalized())) * body.getCenterOfMassTransform().getBasis());
    push(body, 1.0 / static_cast<double>(body.getInvMass()),
         airForce(field.field, silhouetteOf(*body.getCollisionShape(), direction), u));
}

void apply(SceneField& field, const SceneData& data, btRigidBody& body) {
    btPliantBody* soft = btPliantBody::upcast(&body);
    if (field.isAir() && soft) {
        const auto model = data.fields->modelOf.find(soft);  // its materials may be others by now
        if (model != data.fields->modelOf.end())
            blow(field, *soft, data.fields->patches[static_cast<std::size_t>(model->second)]);
        return;
    }
    if (body.isStaticOrKinematicObject()) return;
    if (field.isAir()) return blow(field, body);
    const double mass = soft ? soft->getModel().totalMass() : 1.0 / static_cast<double>(body.getInvMass());
    push(body, mass, mass * field.at(fromBullet(body.getCenterOfMassPosition())));
}

}  // namespace

SceneField::SceneField(const Field& description) : field(description) {
    const pliant::scene::LiveNames names = {{"t", &t}, {"x", &x[0]}, {"y", &x[1]}, {"z", &x[2]}};
    for (std::size_t i = 0; i < 3; ++i) vector[i] = description.vector[i].bind(names);
    strength = description.strength.bind(names);
}

Vector3 SceneField::at(const Vector3& place) {
    x = place;
    Vector3 result(vector[0](), vector[1](), vector[2]());
    const Vector3 arm = place - field.at;
    if (field.kind == FieldKind::Vortex) {
        const Vector3 across = field.axis.cross(arm);  // its length is the distance from the axis
        const double share = field.core * field.core / std::max(across.squaredNorm(), field.core * field.core);
        result = strength() * share * across;
    } else if (field.kind == FieldKind::Attractor) {
        const double distance = std::sqrt(arm.squaredNorm() + field.core * field.core);
        result = -strength() / (distance * distance * distance) * arm;
    }
    return result.allFinite() ? result : Vector3(Vector3::Zero());
}

SceneFields::SceneFields(const SceneData& data) {
    for (const Field& description : data.scene.fields) {
        fields.push_back(std::make_unique<SceneField>(description));
        SceneField& field = *fields.back();
        for (const pliant::scene::Reference& reference : description.of)
            for (btRigidBody* body : bodiesOf(data, reference)) field.bodies.push_back(body);
        if (description.of.empty()) field.bodies = allBodies(data);
    }
    for (const btPliantScene::Deformable& deformable : data.deformables)
        modelOf[deformable.m_body] = deformable.m_model;
    for (const auto& model : data.models) patches.push_back(patchesOf(*model));
}

void applyFields(SceneData& data) {
    for (const auto& field : data.fields->fields) {
        field->t = data.time;
        for (btRigidBody* body : field->bodies)
            if (isPresent(*body)) apply(*field, data, *body);
    }
}

}  // namespace btPliantInternal
