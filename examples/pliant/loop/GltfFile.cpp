// SPDX-License-Identifier: Zlib
#include "loop/GltfFile.h"

#include <Eigen/Geometry>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "loop/SceneBodies.h"
#include "osgPliantScene/SceneNode.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"

namespace pliant::program {
namespace gltf {

using Json = nlohmann::json;

enum Gl { ArrayBuffer = 34962, ElementBuffer = 34963, Float = 5126, UnsignedInt = 5125 };  // glTF has OpenGL's numbers

/// The numbers of the file, and what says where which are.
class Buffer {
public:
    int addFloats(const std::vector<float>& numbers, int components, bool isVertices) {
        static const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
        Json accessor = {{"bufferView", view(numbers.data(), numbers.size() * 4, isVertices ? ArrayBuffer : 0)},
                         {"componentType", Float},
                         {"count", numbers.size() / static_cast<std::size_t>(components)},
                         {"type", types[components]}};
        addBounds(numbers, components, accessor);
        accessors.push_back(accessor);
        return static_cast<int>(accessors.size()) - 1;
    }
    int addIndices(const std::vector<std::uint32_t>& indices) {
        accessors.push_back({{"bufferView", view(indices.data(), indices.size() * 4, ElementBuffer)},
                             {"componentType", UnsignedInt},
                             {"count", indices.size()},
                             {"type", "SCALAR"}});
        return static_cast<int>(accessors.size()) - 1;
    }
    int addImage(const std::vector<char>& image) { return view(image.data(), image.size(), 0); }

    std::vector<char> bytes;
    Json views = Json::array(), accessors = Json::array();

private:
    int view(const void* data, std::size_t size, int target) {
        Json one = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}};
        if (target) one["target"] = target;
        const char* first = static_cast<const char*>(data);
        bytes.insert(bytes.end(), first, first + size);
        bytes.resize((bytes.size() + 3) / 4 * 4, 0);
        views.push_back(one);
        return static_cast<int>(views.size()) - 1;
    }
    static void addBounds(const std::vector<float>& numbers, int components, Json& accessor) {
        const auto n = static_cast<std::size_t>(components);
        if (numbers.size() < n) return;
        std::vector<float> least(numbers.begin(), numbers.begin() + components), most = least;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            least[i % n] = std::min(least[i % n], numbers[i]);
            most[i % n] = std::max(most[i % n], numbers[i]);
        }
        accessor["min"] = least;
        accessor["max"] = most;
    }
};

/// What a node does over time.
struct Track {
    int node = 0, dimension = 0;
    std::vector<float> translations, rotations, weights, scales;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    bool hides = false;  ///< is away at some time

    void add(const RigidTransform& place, const double* q, bool isShown) {
        for (int k = 0; k < 3; ++k) translations.push_back(static_cast<float>(place.translation[k]));
        Eigen::Quaterniond turn(place.rotation);
        if (turn.dot(last) < 0.0) turn.coeffs() *= -1.0;  // the short way from frame to frame
        last = turn;
        for (int k = 0; k < 4; ++k) rotations.push_back(static_cast<float>(turn.coeffs()[k]));
        for (int j = 0; j < dimension; ++j) weights.push_back(static_cast<float>(q[j]));
        for (int k = 0; k < 3; ++k) scales.push_back(isShown ? 1.0f : 0.0f);
        hides = hides || !isShown;
    }
};

}  // namespace gltf

namespace {

using gltf::Json;
using gltf::Track;

template <class Matrix>
std::vector<float> floatsOf(const Matrix& m) {
    std::vector<float> all(static_cast<std::size_t>(m.size()));
    for (Eigen::Index i = 0; i < m.size(); ++i) all[static_cast<std::size_t>(i)] = static_cast<float>(m.data()[i]);
    return all;
}

}  // namespace

struct GltfFile::Data {
    explicit Data(const scene::SceneDescription& description) : scene(description) {}

    int addMaterial(const SurfaceMaterial& source);
    int addPlainMaterial(const scene::RigidGroup& group);
    int addTexture(const std::string& path);
    int addModel(const ReducedModel& model);
    int addShape(const scene::RigidGroup& group);
    int addNode(const std::string& name, int mesh);
    Json animation();

    const scene::SceneDescription& scene;
    std::string path;
    gltf::Buffer buffer;
    Json meshes = Json::array(), materials = Json::array(), nodes = Json::array(), images = Json::array(),
         textures = Json::array();
    std::vector<float> times;
    std::vector<std::pair<SceneBody, gltf::Track>> tracks;  ///< of each body
};

int GltfFile::Data::addTexture(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const bool isPng = bytes.size() > 4 && std::memcmp(bytes.data() + 1, "PNG", 3) == 0;
    const bool isJpeg = bytes.size() > 2 && std::memcmp(bytes.data(), "\xff\xd8", 2) == 0;
    if (!isPng && !isJpeg) return -1;  // glTF knows no others
    images.push_back({{"bufferView", buffer.addImage(bytes)}, {"mimeType", isPng ? "image/png" : "image/jpeg"}});
    textures.push_back({{"source", images.size() - 1}});
    return static_cast<int>(textures.size()) - 1;
}

int GltfFile::Data::addMaterial(const SurfaceMaterial& source) {
    const double exponent = std::max(source.shininess, 1.0);
    Json look = {{"baseColorFactor", {source.diffuse.x(), source.diffuse.y(), source.diffuse.z(), source.opacity}},
                 {"metallicFactor", 0.0},
                 {"roughnessFactor", std::min(1.0, std::pow(2.0 / (exponent + 2.0), 0.25))}};
    const int texture = source.diffuseTexture.empty() ? -1 : addTexture(source.diffuseTexture);
    if (texture >= 0) look["baseColorTexture"] = {{"index", texture}};
    Json material = {{"name", source.name}, {"pbrMetallicRoughness", look}, {"doubleSided", true}};
    if (source.opacity < 1.0) material["alphaMode"] = "BLEND";
    materials.push_back(material);
    return static_cast<int>(materials.size()) - 1;
}

int GltfFile::Data::addPlainMaterial(const scene::RigidGroup& group) {
    SurfaceMaterial plain;
    plain.name = group.name;
    const scene::Material* material = scene.material(group.material);
    const scene::Colour& c = material && material->colour ? *material->colour : group.colour;
    plain.diffuse = Vector3(c[0], c[1], c[2]);
    if (material) plain.opacity = material->opacity;
    return addMaterial(plain);
}

int GltfFile::Data::addModel(const ReducedModel& model) {
    const SurfaceMesh& surface = model.surface;
    const Eigen::Index r = model.dimension();
    Json attributes = {{"POSITION", buffer.addFloats(floatsOf(surface.positions), 3, true)},
                       {"NORMAL", buffer.addFloats(floatsOf(surface.normals), 3, true)}};
    if (surface.texcoords.cols() == surface.vertexCount()) {
        std::vector<float> coordinates = floatsOf(surface.texcoords);
        for (std::size_t i = 1; i < coordinates.size(); i += 2) coordinates[i] = 1.0f - coordinates[i];  // from above
        attributes["TEXCOORD_0"] = buffer.addFloats(coordinates, 2, true);
    }
    Json targets = Json::array();
    for (Eigen::Index j = 0; j < r; ++j)
        targets.push_back({{"POSITION", buffer.addFloats(floatsOf(model.surfaceBasis.col(j).eval()), 3, true)},
                           {"NORMAL", buffer.addFloats(floatsOf(model.surfaceNormalBasis.col(j).eval()), 3, true)}});
    Json primitives = Json::array();
    for (std::size_t m = 0; m < std::max<std::size_t>(surface.materials.size(), 1); ++m) {
        std::vector<std::uint32_t> indices;
        for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t)
            if (surface.materials.empty() ||
                surface.triangleMaterial[static_cast<std::size_t>(t)] == static_cast<int>(m))
                for (int c = 0; c < 3; ++c) indices.push_back(static_cast<std::uint32_t>(surface.triangles(c, t)));
        if (indices.empty()) continue;
        Json primitive = {{"attributes", attributes}, {"indices", buffer.addIndices(indices)}};
        if (!surface.materials.empty()) primitive["material"] = addMaterial(surface.materials[m]);
        if (r > 0) primitive["targets"] = targets;
        primitives.push_back(primitive);
    }
    Json names = Json::array();
    for (Eigen::Index j = 0; j < r; ++j) names.push_back("q" + std::to_string(j));
    meshes.push_back({{"name", model.name},
                      {"primitives", primitives},
                      {"weights", std::vector<double>(static_cast<std::size_t>(r), 0.0)},
                      {"extras", {{"targetNames", names}}}});
    return static_cast<int>(meshes.size()) - 1;
}

int GltfFile::Data::addShape(const scene::RigidGroup& group) {
    const osg::ref_ptr<osg::Geometry> geometry = osgPliant::createRigidShape(scene, group);
    const auto floats = [](const osg::Array* array) {
        const auto* vectors = static_cast<const osg::Vec3Array*>(array);
        std::vector<float> all;
        for (const osg::Vec3& v : *vectors)
            for (int k = 0; k < 3; ++k) all.push_back(v[k]);
        return all;
    };
    std::vector<std::uint32_t> indices;
    const osg::PrimitiveSet& triangles = *geometry->getPrimitiveSet(0);
    for (unsigned int i = 0; i < triangles.getNumIndices(); ++i) indices.push_back(triangles.index(i));
    meshes.push_back({{"name", group.name},
                      {"primitives",
                       {{{"attributes",
                          {{"POSITION", buffer.addFloats(floats(geometry->getVertexArray()), 3, true)},
                           {"NORMAL", buffer.addFloats(floats(geometry->getNormalArray()), 3, true)}}},
                         {"indices", buffer.addIndices(indices)},
                         {"material", addPlainMaterial(group)}}}}});
    return static_cast<int>(meshes.size()) - 1;
}

int GltfFile::Data::addNode(const std::string& name, int mesh) {
    nodes.push_back({{"name", name}, {"mesh", mesh}});
    return static_cast<int>(nodes.size()) - 1;
}

GltfFile::GltfFile(const std::string& path, const scene::SceneDescription& scene, const Models& models)
    : m_data(std::make_unique<Data>(scene)) {
    Data& data = *m_data;
    data.path = path;
    std::vector<scene::ModelLooks> looks;
    std::vector<std::vector<int>> meshes(models.size());  // of each look of each model
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (models[m].character())
            throw Error(path,
                        "glTF cannot hold the character \"" + scene.models[m].label +
                            "\": its flesh bends before bones " + "carry it, by more shapes than viewers take",
                        "write pictures, a film or states");
        looks.push_back(scene::looksOf(scene, static_cast<int>(m)));
        for (const scene::MaterialPairs& materials : looks[m].materials)
            meshes[m].push_back(
                data.addModel(*osgPliant::dressedModel(scene, static_cast<int>(m), models[m], materials)));
    }
    int shape = -1;
    for (const SceneBody& body : bodiesOf(scene)) {
        Track track;
        if (body.isRigid()) {
            if (body.isFirstOfGroup) shape = data.addShape(scene.rigid[body.group]);
            track.node = data.addNode(body.name, shape);
        } else {
            const auto m = static_cast<std::size_t>(body.model);
            const auto look = static_cast<std::size_t>(looks[m].ofBody[body.number]);
            track.node = data.addNode(body.name, meshes[m][look]);
            track.dimension = models[m]->dimension();
        }
        data.tracks.push_back({body, track});
    }
}

GltfFile::~GltfFile() = default;

void GltfFile::add(const scene::ScenePoses& poses) {
    Data& data = *m_data;
    data.times.push_back(static_cast<float>(poses.time));
    for (auto& [body, track] : data.tracks)
        track.add(body.placeIn(poses), body.coordinatesIn(poses), body.isShownIn(poses));
}

Json GltfFile::Data::animation() {
    Json samplers = Json::array(), channels = Json::array();
    const int input = buffer.addFloats(times, 1, false);
    const auto channel = [&](const Track& track, const char* target, const std::vector<float>& numbers, int components,
                             const char* between) {
        samplers.push_back(
            {{"input", input}, {"output", buffer.addFloats(numbers, components, false)}, {"interpolation", between}});
        channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", track.node}, {"path", target}}}});
    };
    const auto add = [&](const Track& track) {
        channel(track, "translation", track.translations, 3, "LINEAR");
        channel(track, "rotation", track.rotations, 4, "LINEAR");
        if (track.dimension > 0) channel(track, "weights", track.weights, 1, "LINEAR");
        if (track.hides) channel(track, "scale", track.scales, 3, "STEP");
    };
    for (const auto& [body, track] : tracks) add(track);
    return {{"name", "run"}, {"samplers", samplers}, {"channels", channels}};
}

void GltfFile::close() {
    Data& data = *m_data;
    const Eigen::Quaterniond upright = Eigen::Quaterniond::FromTwoVectors(data.scene.up(), Vector3::UnitY());
    Json children = Json::array();
    for (std::size_t i = 0; i < data.nodes.size(); ++i) children.push_back(i);
    Json file = {{"asset", {{"version", "2.0"}, {"generator", "Pliant"}}}, {"scene", 0}};
    if (!data.times.empty()) file["animations"] = Json::array({data.animation()});
    data.nodes.push_back({{"name", "scene"},
                          {"rotation", {upright.x(), upright.y(), upright.z(), upright.w()}},
                          {"children", children}});
    file["scenes"] = {{{"nodes", {data.nodes.size() - 1}}}};
    file["nodes"] = data.nodes;
    file["meshes"] = data.meshes;
    file["materials"] = data.materials;
    if (!data.images.empty()) {
        file["images"] = data.images;
        file["textures"] = data.textures;
    }
    file["accessors"] = data.buffer.accessors;
    file["bufferViews"] = data.buffer.views;
    file["buffers"] = {{{"byteLength", data.buffer.bytes.size()}}};
    std::string text = file.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::size_t total = 12 + 8 + text.size() + 8 + data.buffer.bytes.size();
    if (total > 0xffffffffu) throw Error(data.path, "would be longer than the 4 GiB of a .glb", "write fewer frames");
    const std::filesystem::path place = files::placeOfWholeFile(data.path);
    const std::string temporary = place.string() + ".part";
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    const auto word = [&](std::size_t value) {
        const auto number = static_cast<std::uint32_t>(value);
        stream.write(reinterpret_cast<const char*>(&number), 4);
    };
    for (const std::size_t value : {std::size_t{0x46546c67}, std::size_t{2}, total}) word(value);
    word(text.size());
    word(0x4e4f534a);  // JSON
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    word(data.buffer.bytes.size());
    word(0x004e4942);  // BIN
    stream.write(data.buffer.bytes.data(), static_cast<std::streamsize>(data.buffer.bytes.size()));
    stream.close();
    std::error_code problem;
    if (stream.good()) std::filesystem::rename(temporary, place, problem);
    if (!stream.good() || problem) {
        std::filesystem::remove(temporary, problem);
        throw Error(data.path, "cannot be written");
    }
}

}  // namespace pliant::program
