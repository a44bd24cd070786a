// SPDX-License-Identifier: Zlib
// Soft bodies in an engine of one's own, with Pliant::core alone: no Bullet, no OpenSceneGraph. The engine keeps
// frames, rigid balls and a solver of sequential impulses; Pliant bends the bodies, finds where they touch, and tells
// the solver what an impulse does to them. Two reduced bodies and a ball fall onto the ground and onto each other.
#include <pliant/collision/pair/CollidingBody.h>
#include <pliant/runtime/BodyBatch.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using pliant::Matrix3;
using pliant::Vector3;
using pliant::VectorX;

constexpr double h = 1.0 / 240.0, margin = 0.005, friction = 0.5;
const Vector3 gravity(0, 0, -9.81);

struct Body {  // the engine's own; a ball where slot < 0
    double mass = 1.0, radius = 0.0;
    int slot = -1;
    Vector3 x = Vector3::Zero(), v = Vector3::Zero(), momentum = Vector3::Zero();  // L, about x
    Vector3 omega = Vector3::Zero(), freeV = Vector3::Zero(), freeOmega = Vector3::Zero();
    Matrix3 A = Matrix3::Identity();
    Vector3 turned = Vector3::Zero();  // by the solver
    VectorX bent;                      // the same of q'
};

struct Side {  // of a row: direction, and what a unit impulse does
    Body* body = nullptr;
    Vector3 direction, angular, turn;
    VectorX modal, bend;
};

struct Row {
    Side side[2];
    double target = 0.0, mass = 0.0, impulse = 0.0;
    int normal = -1;  // of a friction row: the row that holds it
};

struct Engine {
    pliant::BodyBatch& batch;
    std::vector<Body> bodies;
    std::vector<pliant::CollidingBody> shapes;  // of the reduced bodies, by slot
    std::vector<pliant::PlaneContacts> onGround;
    pliant::PairContacts between;
    std::vector<Row> rows;

    Side makeSide(Body* body, const Vector3& point, const Vector3& direction, int segment, float parameter) {
        Side side;
        if (!body) return side;
        side.body = body;
        side.direction = direction;
        side.angular = (point - body->x).cross(direction);
        if (body->slot < 0) {
            side.turn = side.angular / (0.4 * body->mass * body->radius * body->radius);
            return side;
        }
        side.modal = side.bend = VectorX::Zero(batch.model().dimension());
        shapes[std::size_t(body->slot)].project(segment, parameter, direction, side.modal.data());
        Vector3 turn;
        batch.response(body->slot, body->A.transpose() * side.angular, side.modal.data(), turn, side.bend.data());
        side.turn = body->A * turn;
        return side;
    }
    double velocity(const Side& side, bool atStart) const {
        if (!side.body) return 0.0;
        const Body& b = *side.body;
        double u =
            side.direction.dot(atStart ? b.freeV : b.v) + side.angular.dot(atStart ? b.freeOmega : b.omega + b.turned);
        if (b.slot < 0) return u;
        if (atStart) return u + side.modal.dot(batch.startVelocity(b.slot));
        return u + side.modal.dot(batch.velocity(b.slot)) + side.modal.dot(b.bent);
    }
    void apply(Row& row, double impulse) {
        row.impulse += impulse;
        for (Side& side : row.side) {
            if (!side.body) continue;
            Body& b = *side.body;
            b.v += side.direction * (impulse / b.mass);
            b.momentum += side.angular * impulse;
            b.turned += side.turn * impulse;
            if (b.slot >= 0) b.bent += side.bend * impulse;
        }
    }
    void addContact(Body* a, Body* b, const pliant::SkeletonContact& contact) {
        const Vector3 n = contact.normal, s = n.unitOrthogonal(), axes[3] = {n, s, n.cross(s)};
        const int normal = int(rows.size());
        for (int k = 0; k < 3; ++k) {
            Row row;
            row.normal = k == 0 ? -1 : normal;
            row.side[0] = makeSide(a, contact.pointA, axes[k], contact.segmentA, contact.parameterA);
            row.side[1] = makeSide(b, contact.pointB, -axes[k], contact.segmentB, contact.parameterB);
            double inverse = 0.0;
            for (const Side& side : row.side) {
                if (!side.body) continue;
                inverse += 1.0 / side.body->mass + side.angular.dot(side.turn);
                if (side.body->slot >= 0) inverse += side.modal.dot(side.bend);
            }
            row.mass = 1.0 / inverse;
            if (k == 0) {  // never bounces by itself, never gains energy (BodyBatch.h); what is apart may come together
                row.target = pliant::contactTarget(velocity(row.side[0], true) + velocity(row.side[1], true));
                row.target -= contact.distance > 0.0 ? contact.distance / h : 0.2 * contact.distance / h;
            }
            rows.push_back(row);
        }
    }
    void findContacts(std::vector<std::pair<std::pair<Body*, Body*>, pliant::SkeletonContact>>& found) {
        std::vector<pliant::CapsuleSegment> near;
        for (Body& reduced : bodies) {
            if (reduced.slot < 0) continue;
            pliant::CollidingBody& shape = shapes[std::size_t(reduced.slot)];
            shape.move(batch.q(reduced.slot).data(), {reduced.A, reduced.x});
            for (const auto& c : onGround[std::size_t(reduced.slot)].find(shape, Vector3::UnitZ(), 0.0, margin))
                found.push_back({{&reduced, nullptr}, c});
        }
        for (const auto& c : between.find(shapes[0], shapes[1], margin)) found.push_back({{&bodies[0], &bodies[1]}, c});
        for (Body& ball : bodies) {  // a shape of the engine's own
            if (ball.slot >= 0) continue;
            const Vector3 reach = Vector3::Constant(ball.radius);
            for (Body& reduced : bodies) {
                if (reduced.slot < 0) continue;
                shapes[std::size_t(reduced.slot)].segmentsNear(ball.x - reach, ball.x + reach, margin, near);
                for (const pliant::CapsuleSegment& segment : near) {
                    const Vector3 along = segment.end[1] - segment.end[0];
                    const double t = along.isZero() ? 0.0 : (ball.x - segment.end[0]).dot(along) / along.squaredNorm();
                    const Vector3 axis = segment.end[0] + std::min(std::max(t, 0.0), 1.0) * along;
                    const Vector3 n = (axis - ball.x).normalized();
                    const auto c = pliant::contactWithShape(segment, axis, ball.x + ball.radius * n, n);
                    if (c.distance <= margin) found.push_back({{&reduced, &ball}, c});
                }
            }
            if (ball.x.z() - ball.radius > margin) continue;
            pliant::SkeletonContact c;
            c.pointA = c.pointB = ball.x - ball.radius * Vector3::UnitZ();
            c.distance = ball.x.z() - ball.radius;
            found.push_back({{&ball, nullptr}, c});
        }
    }
    void step(const pliant::Workers& workers) {
        std::vector<std::pair<std::pair<Body*, Body*>, pliant::SkeletonContact>> found;
        findContacts(found);
        std::vector<int> slots;
        for (Body& b : bodies) {
            b.freeV = b.v;
            b.freeOmega = b.omega;
            b.v += h * gravity;
            b.turned.setZero();
            if (b.slot < 0) continue;
            pliant::FrameMotion frame;
            frame.rotation = b.A;
            frame.angularVelocity = b.A.transpose() * b.omega;
            batch.setFrame(b.slot, frame);
            b.bent = VectorX::Zero(batch.model().dimension());
            slots.push_back(b.slot);
        }
        batch.step(h, slots, workers);
        for (Body& b : bodies)
            if (b.slot >= 0) b.omega = b.A * batch.angularVelocity(b.slot, b.A.transpose() * b.momentum);
        rows.clear();
        for (const auto& [pair, contact] : found) addContact(pair.first, pair.second, contact);
        for (int iteration = 0; iteration < 30; ++iteration)
            for (Row& row : rows) {
                const double wanted = row.target - velocity(row.side[0], false) - velocity(row.side[1], false);
                const double limit = row.normal < 0 ? 0.0 : friction * rows[std::size_t(row.normal)].impulse;
                double sum = row.impulse + row.mass * wanted;
                sum = row.normal < 0 ? std::max(sum, 0.0) : std::min(std::max(sum, -limit), limit);
                apply(row, sum - row.impulse);
            }
        for (Body& b : bodies) move(b);
    }
    void move(Body& b) {
        b.x += h * b.v;
        if (b.slot < 0) {
            b.omega += b.turned;
            return;  // a ball looks the same from every side
        }
        batch.addVelocity(b.slot, b.bent.data(), b.A.transpose() * b.turned);
        const Vector3 L = b.A.transpose() * b.momentum;
        if (batch.wasStruck(b.slot)) batch.settleEnergy(b.slot, batch.angularVelocity(b.slot, L));
        const Vector3 W = batch.meanAngularVelocity(b.slot, L);
        if (W.norm() > 0.0) b.A = b.A * Eigen::AngleAxisd(h * W.norm(), W.normalized()).toRotationMatrix();
        b.omega = b.A * batch.angularVelocity(b.slot, b.A.transpose() * b.momentum);
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return std::puts("usage: own_engine MODEL.pliant"), 1;
    try {
        const auto model = pliant::loadModel(argv[1]);
        const auto collision = pliant::makeCollisionModel(model);
        pliant::BatchSettings settings;
        settings.damping.stiffness = 0.002;
        pliant::BodyBatch batch(model, settings);
        Engine engine{batch, {}, {}, {}, {}, {}};
        Vector3 lower, upper;
        for (int i = 0; i < 2; ++i) {
            Body body;
            body.slot = batch.add();
            body.mass = model->totalMass();
            engine.shapes.emplace_back(collision);
            engine.onGround.emplace_back();
            engine.shapes[0].bounds(lower, upper);
            body.x.z() = (upper - lower).norm() * (0.8 + 1.1 * i);
            engine.bodies.push_back(body);
        }
        Body ball;
        ball.radius = 0.25 * (upper - lower).minCoeff();
        ball.mass = 0.2 * model->totalMass();
        ball.x.z() = (upper - lower).norm() * 2.8;
        engine.bodies.push_back(ball);
        const pliant::Workers workers(1);
        for (int step = 1; step <= 720; ++step) {
            engine.step(workers);
            if (step % 72) continue;
            std::printf("t = %.1f s ", step * h);
            for (const Body& b : engine.bodies) std::printf(" height %6.3f m", b.x.z());
            std::printf("  strain energy %.3g J\n", batch.strainEnergy(0) + batch.strainEnergy(1));
        }
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
