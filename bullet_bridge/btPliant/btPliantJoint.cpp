// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantJoint.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "btPliant/btPliantCharacter.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/JointData.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

JointSide::JointSide(btRigidBody& rigid, const btTransform& frame)
    : body(&rigid), reduced(btPliantBody::upcast(&rigid)) {
    if (!reduced) return;
    const pliant::RigidTransform meshFrame = toEigen(frame);
    const pliant::MaterialPoint point = reduced->locate(frame.getOrigin());
    material = std::make_unique<pliant::MaterialFrame>(reduced->getModel(), point, meshFrame);
    isCarried = dataOf(*reduced).character != nullptr;
    if (isCarried) carriers = Carriers(*dataOf(*reduced).character->model, point);
}

namespace {

/// R of the polar decomposition L = R S.
Matrix3 nearestRotation(const Matrix3& L) {
    const Eigen::JacobiSVD<Matrix3> svd(L, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix3 left = svd.matrixU();
    if (left.determinant() * svd.matrixV().determinant() < 0.0) left.col(2) = -left.col(2);
    return left * svd.matrixV().transpose();
}

/// Whether bones that carry a point are turned so far against each other that their mean has all but lost a direction:
/// the rotation that is nearest to it may then be any, and jump.
bool isFlat(const Matrix3& turn) {
    constexpr double least = 0.05;  // of the volume of a rotation
    return !(turn.determinant() > least);
}

}  // namespace

JointSide::Place JointSide::placeAt(const std::vector<pliant::AffineMap>& bones) const {
    const pliant::AffineMap map = carriers.map(bones);
    const Matrix3 turn = carriers.turn(bones);
    const Vector3 &x = material->restPosition(), u = material->position() - x;
    return {turn, nearestRotation(turn), map.leftCols<3>() * x + map.col(3) + turn * u};
}

JointSide::Place JointSide::place() const {
    return placeAt(dataOf(*reduced).character->bones);
}

void JointSide::skinVelocity(const Vector3& point, double h, Vector3& linear, Vector3& angular) const {
    const CharacterData& c = *dataOf(*reduced).character;
    linear = angular = Vector3::Zero();
    if (c.ragdoll) linear = -toEigen(reduced->getLinearVelocity());  // rows have its limbs
    if (c.ragdoll || c.begunStep <= 0.0) return;
    const Place now = placeAt(c.bones), next = placeAt(c.nextBones);
    linear = (next.pivot - now.pivot) / h - toEigen(reduced->getLinearVelocity());
    if (isFlat(now.turn) || isFlat(next.turn)) return;
    const Matrix3 turn = next.rotation * now.rotation.transpose();
    linear += (turn - Matrix3::Identity()) * (point - now.pivot) / h;
    const Eigen::AngleAxisd angle(turn);
    angular = angle.axis() * (angle.angle() / h);
}

btTransform JointSide::follow() {
    const BodyData& data = dataOf(*reduced);
    material->setDetail(data.batch().q(data.slot).size());
    if (data.hasStepped) {
        midstepCoordinates = data.previousQ + (0.5 * data.stepLength) * data.batch().startVelocity(data.slot);
        material->update(midstepCoordinates.data());
    } else {
        material->update(data.batch().q(data.slot).data());
    }
    if (isCarried) {
        const Place at = place();
        const Vector3 origin = toEigen(reduced->getWorldTransform().getOrigin());
        return btTransform(toBulletBasis(at.rotation * material->basis()), toBullet(at.pivot - origin));
    }
    return btTransform(toBulletBasis(material->basis()), toBullet(material->position()));
}

}  // namespace btPliantInternal

using btPliantInternal::BodyData;
using btPliantInternal::dataOf;
using btPliantInternal::JointSide;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;

btPliantJoint::btPliantJoint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB)
    : m_data(std::make_unique<Data>(A, B, frameInA, frameInB)) {}

btPliantJoint::~btPliantJoint() = default;

btPliantJoint* btPliantJoint::upcast(btTypedConstraint* constraint) {
    return dynamic_cast<btPliantJoint*>(constraint);
}

namespace {

/// Where the flesh of a character that is at a place of the world rests: of what each bone would take back there, the
/// one that the skin brings nearest, and Newton's method from it.
btTransform restFrameOf(const btPliantBody& body, const btTransform& world) {
    using btPliantInternal::Carriers;
    const BodyData& data = dataOf(body);
    const btPliantInternal::CharacterData& c = *data.character;
    const pliant::RigidTransform& mesh = c.model->flesh->meshFromBody;
    const pliant::Vector3 wanted = toEigen(world.getOrigin());
    const auto mapAt = [&](const pliant::Vector3& rest) {
        return Carriers(*c.model, body.locate(toBullet(mesh.point(rest)))).map(c.bones);
    };
    pliant::Vector3 rest = pliant::Vector3::Zero();
    double least = 1e300;
    for (const pliant::AffineMap& bone : c.bones) {
        const pliant::Vector3 x = bone.leftCols<3>().inverse() * (wanted - bone.col(3));
        if (!x.allFinite()) continue;
        const pliant::AffineMap map = mapAt(x);
        const double error = (map.leftCols<3>() * x + map.col(3) - wanted).norm();
        if (error < least) {
            least = error;
            rest = x;
        }
    }
    constexpr int iterations = 6;
    pliant::AffineMap map = mapAt(rest);
    for (int i = 0; i < iterations && !btPliantInternal::isFlat(map.leftCols<3>()); ++i) {
        rest = map.leftCols<3>().inverse() * (wanted - map.col(3));
        map = mapAt(rest);
    }
    const pliant::Matrix3 turned =
        mesh.rotation * btPliantInternal::nearestRotation(map.leftCols<3>()).transpose() * toEigen(world.getBasis());
    return btTransform(btPliantInternal::toBulletBasis(turned), toBullet(mesh.point(rest)));
}

}  // namespace

btTransform btPliantJoint::restFrame(const btRigidBody& body, const btTransform& world) {
    const btPliantBody* reduced = btPliantBody::upcast(&body);
    if (reduced && dataOf(*reduced).character) return restFrameOf(*reduced, world);
    return (reduced ? reduced->getMeshTransform() : body.getCenterOfMassTransform()).inverse() * world;
}

btVector3 btPliantJoint::getPivotPosition(int side) const {
    JointSide& held = m_data->sides[side];
    return held.body->getCenterOfMassTransform() * (held.reduced ? held.follow() : getFrame(side)).getOrigin();
}

btTransform btPliantJoint::frameInBody(btRigidBody& body, const btTransform& frame) {
    JointSide side(body, frame);
    return side.reduced ? side.follow() : frame;
}

btTransform btPliantJoint::frameInWorld(btRigidBody& body, const btTransform& frame) {
    return body.getCenterOfMassTransform() * frameInBody(body, frame);
}

const btVector3& btPliantJoint::getLinearImpulse() const {
    return m_data->linearImpulse;
}

const btVector3& btPliantJoint::getAngularImpulse() const {
    return m_data->angularImpulse;
}

bool btPliantJoint::getSpring(int, btPliantJointSpring&) const {
    return false;
}

btScalar btPliantJoint::getLargestImpulse(btScalar) const {
    return SIMD_INFINITY;
}

void btPliantJoint::getNumbers(std::vector<double>& numbers) const {
    numbers.clear();
}

bool btPliantJoint::acceptsNumbers(const std::vector<double>& numbers) const {
    return numbers.empty();
}

void btPliantJoint::setNumbers(const std::vector<double>&) {}

void btPliantJoint::followMaterial() {
    for (int side = 0; side < 2; ++side)
        if (m_data->sides[side].reduced) setFrame(side, m_data->sides[side].follow());
}
