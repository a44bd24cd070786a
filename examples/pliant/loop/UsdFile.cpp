// SPDX-License-Identifier: Zlib
#include "loop/UsdFile.h"

#include <fmt/format.h>

#include <cctype>

#include "loop/SceneBodies.h"
#include "osgPliantScene/SceneNode.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "world/BodyNames.h"

namespace pliant::program {
namespace usd {

namespace {

/// A name that the language takes for a prim. @param number makes it the only one
std::string primName(const std::string& name, std::size_t number) {
    std::string text = "_";
    for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return text.substr(name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? 0 : 1) + "_" +
           std::to_string(number);
}

/// Numbers that are read back to the same bits, in tuples of `components`.
template <class Number>
std::string tuples(const Number* numbers, std::size_t count, std::size_t components) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) text += ", ";
        if (components > 1 && i % components == 0) text += "(";
        text += fmt::format("{}", numbers[i]);
        if (components > 1 && i % components == components - 1) text += ")";
    }
    return text + "]";
}

template <class Matrix>
std::string vectors(const Matrix& matrix) {
    const Eigen::MatrixXf floats = matrix.template cast<float>();
    return tuples(floats.data(), static_cast<std::size_t>(floats.size()), 3);
}

std::string indices(const std::vector<int>& numbers) {
    return tuples(numbers.data(), numbers.size(), 1);
}

}  // namespace

/// What a prim does over time: lines of time samples.
struct Track {
    std::string places, weights, visibility;
    bool hides = false;

    void add(double time, const RigidTransform& place, const double* q, int dimension, bool isShown) {
        const Matrix3& r = place.rotation;
        const Vector3& t = place.translation;
        places += fmt::format(  // of row vectors
            "            {}: (({}, {}, {}, 0), ({}, {}, {}, 0), ({}, {}, {}, 0), ({}, {}, {}, 1)),\n", time, r(0, 0),
            r(1, 0), r(2, 0), r(0, 1), r(1, 1), r(2, 1), r(0, 2), r(1, 2), r(2, 2), t.x(), t.y(), t.z());
        if (dimension > 0) {
            const std::vector<float> floats(q, q + dimension);
            weights += fmt::format("                {}: {},\n", time, tuples(floats.data(), floats.size(), 1));
        }
        visibility += fmt::format("            {}: \"{}\",\n", time, isShown ? "inherited" : "invisible");
        hides = hides || !isShown;
    }
    std::string moving() const {
        std::string text = "        matrix4d xformOp:transform.timeSamples = {\n" + places +
                           "        }\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n";
        if (hides) text += "        token visibility.timeSamples = {\n" + visibility + "        }\n";
        return text;
    }
};

}  // namespace usd

namespace {

using usd::indices;
using usd::primName;
using usd::Track;
using usd::tuples;
using usd::vectors;

/// The points, faces, normals and colours of a mesh. @param triangles three numbers each
std::string meshText(const std::string& points, const std::string& normals, const std::vector<int>& triangles,
                     const std::string& colours, const char* perColour) {
    const std::vector<int> corners(triangles.size() / 3, 3);
    return "            uniform token subdivisionScheme = \"none\"\n            uniform bool doubleSided = 1\n"
           "            point3f[] points = " +
           points + "\n            normal3f[] normals = " + normals +
           " (\n                interpolation = \"vertex\"\n            )\n            int[] faceVertexCounts = " +
           indices(corners) + "\n            int[] faceVertexIndices = " + indices(triangles) +
           "\n            color3f[] primvars:displayColor = " + colours + " (\n                interpolation = \"" +
           perColour + "\"\n            )\n";
}

/// The shape names q0, q1, ... in quotes, or the paths of their prims.
std::string shapeList(Eigen::Index r, const std::string& before, const std::string& after) {
    std::string text = "[";
    for (Eigen::Index j = 0; j < r; ++j) text += fmt::format("{}{}q{}{}", j > 0 ? ", " : "", before, j, after);
    return text + "]";
}

/// The drawn surface of a model with its blend shapes and the one joint that a skeleton has to have.
std::string modelText(const ReducedModel& model, const std::string& name) {
    const SurfaceMesh& surface = model.surface;
    std::vector<int> triangles(surface.triangles.data(), surface.triangles.data() + surface.triangles.size());
    std::vector<float> colours;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const int m = surface.materials.empty() ? -1 : surface.triangleMaterial[static_cast<std::size_t>(t)];
        const Vector3 colour = m < 0 ? Vector3(0.8, 0.8, 0.8) : surface.materials[static_cast<std::size_t>(m)].diffuse;
        for (int k = 0; k < 3; ++k) colours.push_back(static_cast<float>(colour[k]));
    }
    const Eigen::Index r = model.dimension();
    std::string text = "class SkelRoot \"" + name +
                       "\"\n{\n        def Mesh \"Surface\" (\n            prepend apiSchemas = "
                       "[\"SkelBindingAPI\"]\n        )\n        {\n" +
                       meshText(vectors(surface.positions), vectors(surface.normals), triangles,
                                tuples(colours.data(), colours.size(), 3), "uniform");
    if (surface.texcoords.cols() == surface.vertexCount()) {
        const Eigen::MatrixXf st = surface.texcoords.template cast<float>();
        text += "            texCoord2f[] primvars:st = " + tuples(st.data(), static_cast<std::size_t>(st.size()), 2) +
                " (\n                interpolation = \"vertex\"\n            )\n";
    }
    // One number would do by UsdSkel's rules, but there are readers that want one a vertex.
    const auto vertices = static_cast<std::size_t>(surface.vertexCount());
    const std::string each =
        " (\n                elementSize = 1\n                interpolation = \"vertex\"\n            )\n";
    text += "            rel skel:skeleton = </" + name +
            "/Skeleton>\n"
            "            int[] primvars:skel:jointIndices = " +
            indices(std::vector<int>(vertices, 0)) + each +
            "            float[] primvars:skel:jointWeights = " + indices(std::vector<int>(vertices, 1)) + each +
            "            uniform token[] skel:blendShapes = " + shapeList(r, "\"", "\"") +
            "\n            rel skel:blendShapeTargets = " + shapeList(r, "</" + name + "/Surface/", ">") + "\n";
    for (Eigen::Index j = 0; j < r; ++j)
        text += fmt::format(
            "            def BlendShape \"q{}\"\n            {{\n                uniform vector3f[] offsets = {}\n"
            "                uniform vector3f[] normalOffsets = {}\n            }}\n",
            j, vectors(model.surfaceBasis.col(j)), vectors(model.surfaceNormalBasis.col(j)));
    const char* const identity = "[((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]";
    return text +
           "        }\n        def Skeleton \"Skeleton\" (\n            prepend apiSchemas = [\"SkelBindingAPI\"]\n"
           "        )\n        {\n            uniform token[] joints = [\"body\"]\n"
           "            uniform matrix4d[] bindTransforms = " +
           identity + "\n            uniform matrix4d[] restTransforms = " + identity +
           "\n            rel skel:animationSource = </" + name + "/Motion>\n        }\n}\n\n";
}

/// The coordinates of a body over time.
std::string motionText(const Track& track, Eigen::Index r) {
    return "        def SkelAnimation \"Motion\"\n        {\n            uniform token[] joints = [\"body\"]\n"
           "            float3[] translations = [(0, 0, 0)]\n            quatf[] rotations = [(1, 0, 0, 0)]\n"
           "            half3[] scales = [(1, 1, 1)]\n            uniform token[] blendShapes = " +
           shapeList(r, "\"", "\"") + "\n            float[] blendShapeWeights.timeSamples = {\n" + track.weights +
           "            }\n        }\n";
}

std::string rigidText(const scene::SceneDescription& scene, const scene::RigidGroup& group, const std::string& name) {
    const osg::ref_ptr<osg::Geometry> geometry = osgPliant::createRigidShape(scene, group);
    const auto floats = [](const osg::Array* array) {
        const auto& all = static_cast<const osg::Vec3Array&>(*array);
        return tuples(all.empty() ? nullptr : all.front().ptr(), 3 * all.size(), 3);
    };
    std::vector<int> triangles;
    const osg::PrimitiveSet& primitives = *geometry->getPrimitiveSet(0);
    for (unsigned int i = 0; i < primitives.getNumIndices(); ++i)
        triangles.push_back(static_cast<int>(primitives.index(i)));
    const scene::Material* material = scene.material(group.material);
    const scene::Colour& c = material && material->colour ? *material->colour : group.colour;
    return "class Xform \"" + name + "\"\n{\n        def Mesh \"Surface\"\n        {\n" +
           meshText(floats(geometry->getVertexArray()), floats(geometry->getNormalArray()), triangles,
                    fmt::format("[({}, {}, {})]", c[0], c[1], c[2]), "constant") +
           "        }\n}\n\n";
}

}  // namespace

struct UsdFile::Data {
    struct Prim {
        SceneBody body;
        std::string name, prototype;
        int dimension = 0;
        Track track;
    };

    Data(std::string file, const scene::SceneDescription& description)
        : path(std::move(file)), scene(description), rate(description.time.framesPerSecond) {}
    void addModels(const Models& models);
    void addBodies(const Models& models);

    std::string path;
    const scene::SceneDescription& scene;
    double rate;
    std::string prototypes;
    std::vector<scene::ModelLooks> looks;
    std::vector<std::vector<std::string>> modelNames;  ///< of each look of each model
    std::vector<Prim> prims;
    double last = 0.0;
};

void UsdFile::Data::addModels(const Models& models) {
    modelNames.resize(models.size());
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (models[m].character())
            throw Error(path,
                        "USD's blend shapes cannot hold the character \"" + scene.models[m].label +
                            "\": its flesh is carried by bones that have scales",
                        "write pictures, a film or states");
        looks.push_back(scene::looksOf(scene, static_cast<int>(m)));
        for (const scene::MaterialPairs& materials : looks[m].materials) {
            const std::string name =
                "Model_" + primName(scene.models[m].label, m) + "_" + std::to_string(modelNames[m].size());
            modelNames[m].push_back(name);
            prototypes += modelText(*osgPliant::dressedModel(scene, static_cast<int>(m), models[m], materials), name);
        }
    }
}

void UsdFile::Data::addBodies(const Models& models) {
    std::string shape;
    for (const SceneBody& body : bodiesOf(scene)) {
        Prim prim;
        prim.body = body;
        if (body.isRigid()) {
            const scene::RigidGroup& group = scene.rigid[body.group];
            if (body.isFirstOfGroup) {
                shape = "Shape_" + primName(group.name, body.group);
                prototypes += rigidText(scene, group, shape);
            }
            prim.name = "Rigid_" + primName(group.name, body.number);
            prim.prototype = shape;
        } else {
            const scene::BodyGroup& group = scene.bodies[body.group];
            const auto m = static_cast<std::size_t>(body.model);
            const auto look = static_cast<std::size_t>(looks[m].ofBody[body.number]);
            prim.name = "Body_" + primName(groupName(group), body.number) + "_" + std::to_string(m);
            prim.prototype = modelNames[m][look];
            prim.dimension = models[m]->dimension();
        }
        prims.push_back(prim);
    }
}

UsdFile::UsdFile(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_data(std::make_unique<Data>(path, scene)) {
    m_data->addModels(models);
    m_data->addBodies(models);
}

UsdFile::~UsdFile() = default;

void UsdFile::add(const scene::ScenePoses& poses) {
    Data& data = *m_data;
    const double time = data.last = poses.time * data.rate;
    for (Data::Prim& prim : data.prims)
        prim.track.add(time, prim.body.placeIn(poses), prim.body.coordinatesIn(poses), prim.dimension,
                       prim.body.isShownIn(poses));
}

void UsdFile::close() {
    Data& data = *m_data;
    const Vector3 up = data.scene.up();
    std::string text = fmt::format(
        "#usda 1.0\n(\n    doc = \"A run of Pliant\"\n    defaultPrim = \"World\"\n    metersPerUnit = 1\n"
        "    upAxis = \"{}\"\n    startTimeCode = 0\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n)\n\n",
        std::abs(up.y()) > std::abs(up.z()) ? "Y" : "Z", data.last, data.rate);
    text += data.prototypes + "def Xform \"World\"\n{\n";
    const auto write = [&](const Data::Prim& prim) {
        text += std::string("    def ") + (prim.body.isRigid() ? "Xform" : "SkelRoot") + " \"" + prim.name +
                "\" (\n        prepend references = </" + prim.prototype + ">\n    )\n    {\n" + prim.track.moving();
        if (prim.dimension > 0) text += motionText(prim.track, prim.dimension);
        text += "    }\n";
    };
    for (const Data::Prim& prim : data.prims) write(prim);
    writeTextFile(data.path, text + "}\n");
}

}  // namespace pliant::program
