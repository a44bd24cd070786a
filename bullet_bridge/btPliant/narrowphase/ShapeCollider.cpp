// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ShapeCollider.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/narrowphase/shapes/Body.h"
#include "btPliant/narrowphase/shapes/Convex.h"
#include "btPliant/narrowphase/shapes/DistanceField.h"
#include "btPliant/narrowphase/shapes/Plane.h"
#include "btPliant/narrowphase/shapes/Triangles.h"

namespace btPliantInternal {

namespace {

template <int Type>
bool is(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->getShapeType() == Type;
}

bool isPolyhedron(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isPolyhedral();
}

bool isConvex(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isConvex();
}

// clang-format off
// Compounds have no row: Bullet asks for each of their children.
const ShapeCollider kTable[] = {
// name              takes                             discrete              continuous                      margin        stays apart      requirement        points             parallel
{"reduced body",     isReducedBody,                    collideBody,          collideBodyContinuous,          bodyMargin,   bodyStaysApart,  bodyRequirement,   nullptr,           true},
{"plane",            is<STATIC_PLANE_PROXYTYPE>,       collidePlane,         collidePlaneContinuous,         planeMargin,  planeStaysApart, planeRequirement,  nullptr,           true},
{"box",              is<BOX_SHAPE_PROXYTYPE>,          collideBox,           collideBoxContinuous,           nullptr,      nullptr,         nullptr,           boxPoints,         false},
{"sphere",           is<SPHERE_SHAPE_PROXYTYPE>,       collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           spherePoints,      false},
{"capsule",          is<CAPSULE_SHAPE_PROXYTYPE>,      collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           capsulePoints,     false},
{"cylinder",         is<CYLINDER_SHAPE_PROXYTYPE>,     collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           cylinderPoints,    false},
{"cone",             is<CONE_SHAPE_PROXYTYPE>,         collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           conePoints,        false},
{"multi-sphere",     is<MULTI_SPHERE_SHAPE_PROXYTYPE>, collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           multiSpherePoints, false},
{"hull",             isPolyhedron,                     collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           polyhedronPoints,  false},
{"convex shape",     isConvex,                         collideConvex,        collideConvexContinuous,        nullptr,      nullptr,         nullptr,           nullptr,           false},
{"distance field",   isDistanceField,                  collideDistanceField, collideDistanceFieldContinuous, nullptr,      nullptr,         nullptr,           distanceFieldPoints, false},
{"triangles",        hasTriangles,                     collideTriangles,     collideTrianglesContinuous,     nullptr,      nullptr,         nullptr,           trianglePoints,    false},
};
// clang-format on

}  // namespace

const ShapeCollider* colliderOf(const btCollisionObjectWrapper& other) {
    for (const ShapeCollider& row : kTable)
        if (row.takes(other)) return &row;
    return nullptr;
}

}  // namespace btPliantInternal
