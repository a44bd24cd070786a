// SPDX-License-Identifier: Zlib
// Frames that the material carries: affine deformations, whose rotation is known, rates against differences, power.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "pliant/model/MaterialFrame.h"

namespace {

using pliant::ElementKind;
using pliant::MaterialFrame;
using pliant::MaterialPoint;
using pliant::Matrix3;
using pliant::PointLocator;
using pliant::ReducedModel;
using pliant::RigidTransform;
using pliant::Vector3;
using pliant::VectorX;

/// A brick or a tetrahedron in a mesh frame that is turned and moved against the body frame; no basis yet.
ReducedModel oneElement(ElementKind kind) {
    ReducedModel model;
    model.meshFromBody.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    model.meshFromBody.translation = Vector3(0.4, -0.3, 0.2);
    model.mesh.kind = kind;
    if (kind == ElementKind::Brick) {
        model.mesh.positions.resize(3, 8);
        model.mesh.positions << 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3;
        model.mesh.elements.resize(8, 1);
        model.mesh.elements << 0, 1, 2, 3, 4, 5, 6, 7;
    } else {
        model.mesh.positions.resize(3, 4);
        model.mesh.positions << 0, 2, 0.3, 0.1, 0, 0.2, 1.5, 0.4, 0, 0.1, 0.2, 1.2;
        model.mesh.elements.resize(4, 1);
        model.mesh.elements << 0, 1, 2, 3;
    }
    return model;
}

Vector3 bodyPosition(const ReducedModel& model, int vertex) {
    return model.meshFromBody.inversePoint(model.mesh.positions.col(vertex));
}

/// One coordinate: u = (F - 1) X in the body frame at q = 1.
ReducedModel affine(ElementKind kind, const Matrix3& F) {
    ReducedModel model = oneElement(kind);
    model.basis.resize(3 * model.mesh.positions.cols(), 1);
    for (int v = 0; v < model.mesh.positions.cols(); ++v)
        model.basis.block<3, 1>(3 * v, 0) = F * bodyPosition(model, v) - bodyPosition(model, v);
    return model;
}

ReducedModel randomFields(ElementKind kind, int r) {
    ReducedModel model = oneElement(kind);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> entry(-1.0, 1.0);
    model.basis.resize(3 * model.mesh.positions.cols(), r);
    for (Eigen::Index i = 0; i < model.basis.size(); ++i) model.basis.data()[i] = entry(random);
    return model;
}

RigidTransform meshFrame(const Vector3& origin) {
    RigidTransform frame;
    frame.rotation = Eigen::AngleAxisd(-1.1, Vector3(0, 1, 1).normalized()).toRotationMatrix();
    frame.translation = origin;
    return frame;
}

MaterialFrame frameAt(const ReducedModel& model, const Vector3& origin) {
    return MaterialFrame(model, PointLocator(model.mesh).locate(origin), meshFrame(origin));
}

TEST(MaterialFrame, AffineDeformationsTurnItByTheirPolarRotation) {
    const Matrix3 Q = Eigen::AngleAxisd(1.9, Vector3(-1, 0.5, 2).normalized()).toRotationMatrix();
    Matrix3 S;
    S << 1.3, 0.2, -0.1, 0.2, 0.8, 0.15, -0.1, 0.15, 1.1;  // positive definite
    const Matrix3 F = Q * S;
    const VectorX one = VectorX::Ones(1);
    for (const ElementKind kind : {ElementKind::Brick, ElementKind::Tetrahedron}) {
        const ReducedModel model = affine(kind, F);
        const Vector3 inside(0.4, 0.3, 0.2), outside(5.0, -2.0, 4.0);  // mesh frame
        MaterialFrame held = frameAt(model, inside);
        held.update(one.data());
        EXPECT_LT((held.rotation() - Q).norm(), 1e-12);
        EXPECT_LT((held.position() - F * model.meshFromBody.inversePoint(inside)).norm(), 1e-12);
        const Matrix3 rest = model.meshFromBody.rotation.transpose() * meshFrame(inside).rotation;
        EXPECT_LT((held.basis() - Q * rest).norm(), 1e-12);
        // Outside of the mesh: rigidly with the element, so at rest it is where it was named, and its arm only turns.
        MaterialFrame bracket = frameAt(model, outside);
        const Vector3 X = model.meshFromBody.inversePoint(outside);
        EXPECT_LT((bracket.position() - X).norm(), 1e-12);
        const Vector3 centre = model.meshFromBody.inversePoint(model.mesh.positions.rowwise().mean());
        bracket.update(one.data());
        EXPECT_LT((bracket.position() - (F * centre + Q * (X - centre))).norm(), 1e-12);
    }
}

TEST(MaterialFrame, AnInvertedElementStillHasARotation) {
    const Matrix3 F = Vector3(1.2, 0.9, -0.4).asDiagonal();
    const ReducedModel model = affine(ElementKind::Tetrahedron, F);
    MaterialFrame frame = frameAt(model, Vector3(0.4, 0.3, 0.2));
    const VectorX one = VectorX::Ones(1);
    frame.update(one.data());
    EXPECT_NEAR(frame.rotation().determinant(), 1.0, 1e-12);
    EXPECT_LT((frame.rotation() - Matrix3::Identity()).norm(), 1e-12) << "the nearest rotation";
}

TEST(MaterialFrame, RatesAreThoseOfPositionAndRotation) {
    const int r = 6;
    for (const ElementKind kind : {ElementKind::Brick, ElementKind::Tetrahedron})
        for (const Vector3& origin : {Vector3(0.4, 0.3, 0.2), Vector3(4.0, -2.0, 3.0)}) {
            const ReducedModel model = randomFields(kind, r);
            MaterialFrame frame = frameAt(model, origin);
            VectorX q(r), rate(r);
            q << 0.10, -0.05, 0.12, 0.04, -0.09, 0.07;
            rate << -0.6, 0.8, 0.3, -0.2, 0.5, 0.9;
            double last = 0;
            for (const double step : {1e-2, 5e-3}) {
                const VectorX ahead = q + step * rate, behind = q - step * rate;
                frame.update(ahead.data());
                const Vector3 x1 = frame.position();
                const Matrix3 R1 = frame.rotation();
                frame.update(behind.data());
                const Vector3 velocity = (x1 - frame.position()) / (2 * step);
                const Matrix3 turned = (R1 - frame.rotation()) / (2 * step);
                frame.update(q.data());
                const Matrix3 spin = turned * frame.rotation().transpose();
                const Matrix3 expected = pliant::crossMatrix(frame.angularVelocity(rate.data()));
                const double error = (spin - expected).norm() + (velocity - frame.velocity(rate.data())).norm();
                EXPECT_LT(error, 2e-3);
                if (last > 0) {
                    EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << "order of central differences";
                }
                last = error;
            }
        }
}

TEST(MaterialFrame, GeneralisedForcesDoTheSamePower) {
    const int r = 6;
    const ReducedModel model = randomFields(ElementKind::Brick, r);
    for (const Vector3& origin : {Vector3(0.4, 0.3, 0.2), Vector3(4.0, -2.0, 3.0)}) {
        MaterialFrame frame = frameAt(model, origin);
        VectorX q(r), rate(r), modal = VectorX::Constant(r, 0.5);
        q << 0.10, -0.05, 0.12, 0.04, -0.09, 0.07;
        rate << -0.6, 0.8, 0.3, -0.2, 0.5, 0.9;
        frame.update(q.data());
        const Vector3 force(3, -1, 2), couple(0.4, 0.9, -0.3);
        frame.addGeneralised(force, couple, modal.data());
        modal.array() -= 0.5;  // it adds
        const double power = force.dot(frame.velocity(rate.data())) + couple.dot(frame.angularVelocity(rate.data()));
        EXPECT_NEAR(modal.dot(rate), power, 1e-12 * std::abs(power));
        EXPECT_GT(std::abs(power), 0.1);
    }
}

}  // namespace
