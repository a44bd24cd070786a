// SPDX-License-Identifier: Zlib
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <cstddef>

#include "btPliant/narrowphase/EdgesOfShapes.h"
#include "btPliant/narrowphase/PassedFaces.h"
#include "btPliant/narrowphase/SeamPassage.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/narrowphase/shapes/Body.h"
#include "btPliant/narrowphase/shapes/Convex.h"
#include "btPliant/narrowphase/shapes/DistanceField.h"
#include "btPliant/narrowphase/shapes/Fields.h"
#include "btPliant/narrowphase/shapes/Plane.h"
#include "btPliant/narrowphase/shapes/Triangles.h"

namespace btPliantInternal {

namespace {

template <int Type>
bool is(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->getShapeType() == Type;
}

constexpr auto isPlane = is<STATIC_PLANE_PROXYTYPE>;
constexpr auto isBox = is<BOX_SHAPE_PROXYTYPE>;
constexpr auto isSphere = is<SPHERE_SHAPE_PROXYTYPE>;
constexpr auto isCapsule = is<CAPSULE_SHAPE_PROXYTYPE>;
constexpr auto isCylinder = is<CYLINDER_SHAPE_PROXYTYPE>;
constexpr auto isCone = is<CONE_SHAPE_PROXYTYPE>;
constexpr auto isMultiSphere = is<MULTI_SPHERE_SHAPE_PROXYTYPE>;

bool isPolyhedron(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isPolyhedral();
}

bool isConvex(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isConvex();
}

constexpr std::nullptr_t none = nullptr;

// The first row that takes a shape is its own. Compounds have none: Bullet asks for each of their children.
// clang-format off
const ShapeCollider kTable[] = {
    // name            takes          discrete          continuous          margin       bounds       needs       points             sharp edges        field          passed               parallel  edges
    {"reduced body",   isBody,        bodyDiscrete,     bodyContinuous,     bodyMargin,  bodyBounds,  bodyNeeds,  none,              none,              none,          none,                true,     false},
    {"plane",          isPlane,       planeDiscrete,    planeContinuous,    planeMargin, planeBounds, planeNeeds, none,              none,              planeField,    none,                true,     false},
    {"box",            isBox,         boxDiscrete,      boxContinuous,      none,        none,        none,       boxPoints,         edgesOfBox,        boxField,      leaveOutPassedFaces, false,    true},
    {"sphere",         isSphere,      convexDiscrete,   convexContinuous,   none,        none,        none,       spherePoints,      none,              sphereField,   none,                false,    false},
    {"capsule",        isCapsule,     convexDiscrete,   convexContinuous,   none,        none,        none,       capsulePoints,     none,              capsuleField,  none,                false,    false},
    {"cylinder",       isCylinder,    convexDiscrete,   convexContinuous,   none,        none,        none,       cylinderPoints,    edgesOfCylinder,   cylinderField, leaveOutPassedFaces, false,    true},
    {"cone",           isCone,        convexDiscrete,   convexContinuous,   none,        none,        none,       conePoints,        none,              none,          none,                false,    false},
    {"multi-sphere",   isMultiSphere, convexDiscrete,   convexContinuous,   none,        none,        none,       multiSpherePoints, none,              none,          none,                false,    false},
    {"polyhedron",     isPolyhedron,  convexDiscrete,   convexContinuous,   none,        none,        none,       polyhedronPoints,  edgesOfPolyhedron, none,          none,                false,    false},
    {"convex shape",   isConvex,      convexDiscrete,   convexContinuous,   none,        none,        none,       none,              none,              none,          none,                false,    false},
    {"distance field", isField,       fieldDiscrete,    fieldContinuous,    none,        none,        none,       fieldPoints,       none,              none,          none,                false,    false},
    {"triangles",      hasTriangles,  triangleDiscrete, triangleContinuous, none,        none,        none,       trianglePoints,    edgesOfTriangles,  none,          leaveOutPassedSeams, false,    false},
};
// clang-format on

}  // namespace

const ShapeCollider* colliderOf(const btCollisionObjectWrapper& other) {
    for (const ShapeCollider& row : kTable)
        if (row.takes(other)) return &row;
    return nullptr;
}

}  // namespace btPliantInternal
