// SPDX-License-Identifier: Zlib
// What a sensor watches: checked once, and the spheres of each model that lie in its region.
#include "btPliant/sensors/SensorRegions.h"

#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SensorData.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {

namespace {

const char* const kWhere = "btPliantSystem::createContactSensor";

bool hasBox(const btPliantContactSensorInfo& info) {
    return info.m_lower != info.m_upper;
}

/// The number of a material of a model; -1 where any will do. @throws pliant::Error where there is none of that name
int materialNumber(const pliant::ReducedModel& model, const std::string& name) {
    if (name.empty()) return -1;
    std::string names;
    for (std::size_t m = 0; m < model.mesh.materials.size(); ++m) {
        if (model.mesh.materials[m].name == name) return static_cast<int>(m);
        names += (names.empty() ? "\"" : ", \"") + model.mesh.materials[m].name + "\"";
    }
    throw pliant::Error(kWhere, "the model \"" + model.name + "\" has no material \"" + name + "\"", "it has " + names);
}

void findSpheres(const btPliantBody& body, const btPliantContactSensorInfo& info, SensorRegion& region) {
    const pliant::ReducedModel& model = body.getModel();
    const int material = materialNumber(model, info.m_material);
    auto inside = std::make_shared<std::vector<char>>(static_cast<std::size_t>(model.skeleton.sphereCount()), 0);
    auto ofMaterial = std::make_shared<std::vector<char>>(*inside);
    for (int i = 0; i < model.skeleton.sphereCount(); ++i) {
        const pliant::Vector3 rest = model.meshFromBody.point(model.skeleton.restCentres.col(i).cast<double>());
        if (material >= 0) {
            const int element = body.locate(toBullet(rest)).element;
            if (element < 0 || model.mesh.elementMaterial[static_cast<std::size_t>(element)] != material) continue;
        }
        (*ofMaterial)[static_cast<std::size_t>(i)] = 1;
        (*inside)[static_cast<std::size_t>(i)] = isInBox(info, rest);
    }
    if (std::find(inside->begin(), inside->end(), 1) == inside->end())
        throw pliant::Error(kWhere, "nothing of the model \"" + model.name + "\" that can touch lies in the region",
                            "the box is told in the mesh frame of the body at rest, in metres");
    region.spheres = inside;
    if (material >= 0) region.ofMaterial = ofMaterial;
}

void check(const btPliantContactSensorInfo& info) {
    if (info.m_of.empty()) throw pliant::Error(kWhere, "the sensor watches no object", "name at least one in m_of");
    for (const auto* side : {&info.m_of, &info.m_with})
        if (std::find(side->begin(), side->end(), nullptr) != side->end())
            throw pliant::Error(kWhere, "an object of the sensor is a null pointer");
    if (!(info.m_timeConstant >= 0) || !std::isfinite(info.m_timeConstant))
        throw pliant::Error(kWhere, "the time constant is not a number of at least 0 seconds");
    for (int k = 0; k < 3 && hasBox(info); ++k)
        if (!(info.m_lower[k] < info.m_upper[k]))
            throw pliant::Error(kWhere, "the box is empty", "m_lower is the corner with the least x, y and z");
}

}  // namespace

bool isInBox(const btPliantContactSensorInfo& info, const pliant::Vector3& rest) {
    const pliant::Vector3 lower = toEigen(info.m_lower), upper = toEigen(info.m_upper);
    return !hasBox(info) || ((rest.array() >= lower.array()).all() && (rest.array() <= upper.array()).all());
}

bool isInRegion(const btPliantBody& body, const SensorRegion& region, const btPliantContactSensorInfo& info,
                const pliant::Vector3& rest) {
    if (!isInBox(info, rest)) return false;
    if (!region.ofMaterial) return true;
    // By places at rest: fields of bodies that sleep may be those of other poses, as in a world that was restored.
    const int sphere = dataOf(body).field->model().nearestPoint(rest);
    return (*region.ofMaterial)[static_cast<std::size_t>(sphere)] != 0;
}

std::unique_ptr<SensorData> makeSensorData(const btPliantContactSensorInfo& info) {
    check(info);
    auto data = std::make_unique<SensorData>();
    data->info = info;
    for (auto* side : {&data->info.m_of, &data->info.m_with}) {  // an object that is named twice counts once
        std::vector<const btCollisionObject*> once;
        for (const btCollisionObject* object : *side)
            if (std::find(once.begin(), once.end(), object) == once.end()) once.push_back(object);
        *side = once;
    }
    if (info.m_material.empty() && !hasBox(info)) return data;
    for (const btCollisionObject* object : data->info.m_of) {
        const btPliantBody* body = btPliantBody::upcast(object);
        if (!body)
            throw pliant::Error(kWhere, "a region was asked for of an object that is no reduced body",
                                "leave material and box out, or watch reduced bodies alone");
        SensorRegion region;
        for (std::size_t i = 0; i < data->regions.size() && !region.spheres; ++i)
            if (&btPliantBody::upcast(data->regions[i].body)->getModel() == &body->getModel())
                region = data->regions[i];
        if (!region.spheres) findSpheres(*body, info, region);
        region.body = object;
        data->regions.push_back(region);
    }
    return data;
}

}  // namespace btPliantInternal
