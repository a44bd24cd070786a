// SPDX-License-Identifier: Zlib
// pliant-import rig|motion|surface FILE NAME: reads a file by Assimp, tells it as a .glb on its standard output. A
// program of its own, so that what a damaged file does, it does here; its caller limits time and memory.
#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <unistd.h>

#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>

#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/rig/gltf/WriteRig.h"
#include "pliant/rig/import/ChildReader.h"
#include "pliant/rig/import/ImportFile.h"
#include "pliant/rig/import/program/AssimpParts.h"

namespace {

using pliant::Error;
using pliant::import::Imported;

/// Leaves the one reader that the name calls for: others would look into the file, too.
void keepOneReader(Assimp::Importer& importer, const std::string& path) {
    const std::string extension = pliant::lowerExtension(path);
    const Assimp::BaseImporter* kept = importer.GetImporter(importer.GetImporterIndex(extension.c_str()));
    if (!kept) throw Error(path, "Assimp was built without a reader of " + extension);
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (importer.GetImporter(i) == kept) continue;
        const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i));
        importer.UnregisterLoader(other.get());  // which does not delete it
    }
}

/// FBX tells how many centimetres its unit is; the others are read in metres.
double metresPerUnit(const aiScene& scene, const std::string& path) {
    if (pliant::lowerExtension(path) != ".fbx" || !scene.mMetaData) return 1.0;
    double centimetres = 1.0;
    float single = 1.0F;
    if (!scene.mMetaData->Get("UnitScaleFactor", centimetres))
        if (scene.mMetaData->Get("UnitScaleFactor", single)) centimetres = static_cast<double>(single);
    if (!(centimetres > 1e-6 && centimetres < 1e9))
        throw Error(path, "a unit of " + std::to_string(centimetres) + " cm");
    return 0.01 * centimetres;
}

/// The whole scene, whose lengths become metres, as Assimp writes a .glb.
std::string surfaceAsGlb(const aiScene& scene, double unit, const std::string& name) {
    if (scene.mNumMeshes == 0) throw Error(name, "has no surface");
    const auto scale = static_cast<ai_real>(unit);
    aiMatrix4x4 scaling;
    aiMatrix4x4::Scaling(aiVector3D(scale, scale, scale), scaling);
    scene.mRootNode->mTransformation = scaling * scene.mRootNode->mTransformation;
    Assimp::Exporter exporter;
    const aiExportDataBlob* blob = exporter.ExportToBlob(&scene, "glb2", 0);
    if (!blob) throw Error(name, std::string("cannot be read: ") + exporter.GetErrorString());
    return std::string(static_cast<const char*>(blob->data), blob->size);
}

/// @param path of the file  @param name of it, for what is told
Imported import(const std::string& path, const std::string& name, const std::string& wanted) {
    const bool isRig = wanted == "rig", isSurface = wanted == "surface";
    Assimp::Importer importer;
    keepOneReader(importer, path);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    const aiScene* scene = importer.ReadFile(path, 0);
    // Scenes without surfaces, as those of .bvh, are none to Assimp's validation.
    if (isSurface)
        importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_ANIMATIONS | aiComponent_BONEWEIGHTS |
                                                                aiComponent_CAMERAS | aiComponent_LIGHTS);
    if (scene && isSurface && scene->mNumMeshes > 0)
        scene = importer.ApplyPostProcessing(aiProcess_ValidateDataStructure | aiProcess_RemoveComponent |
                                             aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
    if (scene && isRig && scene->mNumMeshes > 0)
        scene = importer.ApplyPostProcessing(aiProcess_ValidateDataStructure | aiProcess_Triangulate |
                                             aiProcess_JoinIdenticalVertices);
    const std::string problem = importer.GetErrorString();
    if (problem.find("bad_alloc") != std::string::npos) ::_exit(pliant::import::exitOfMemory);
    if (!scene || !scene->mRootNode)
        throw Error(name, "cannot be read: " + problem, "export it as glTF 2.0 (.glb), which is read directly");
    Imported told;
    const double unit = metresPerUnit(*scene, path);
    if (isSurface) {
        told.glb = surfaceAsGlb(*scene, unit, name);
        return told;
    }
    told.glb = pliant::rigAsGlb(isRig ? pliant::import::rigOf(*scene, unit, name, told.notes)
                                      : pliant::import::motionOf(*scene, unit, name, told.notes),
                                name);
    return told;
}

bool write(const std::string& bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::set_new_handler([] { ::_exit(pliant::import::exitOfMemory); });
    if (argc != 4) {
        std::fprintf(stderr, "pliant-import is run by Pliant's readers of files\n");
        return 2;
    }
    std::string told;
    try {
        told = pliant::import::packImported(import(argv[2], argv[3], argv[1]), "");
    } catch (const std::exception& error) {
        const std::string what = error.what();
        told = pliant::import::packImported({}, what.empty() ? "an unknown problem" : what);
    }
    return write(told) ? 0 : 1;
}
