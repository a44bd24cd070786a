// SPDX-License-Identifier: Zlib
#include "loop/PoseFile.h"

#include "loop/GltfFile.h"
#include "loop/SceneLog.h"
#include "loop/TrajectoryTable.h"
#include "loop/UsdFile.h"
#include "loop/VtuSeries.h"

namespace pliant::program {
namespace {

template <class File>
class PoseFileOf : public PoseFile {
public:
    PoseFileOf(const std::string& path, const scene::SceneDescription& scene, const Models& models)
        : m_file(path, scene, models) {}
    void add(const scene::ScenePoses& poses) override { m_file.add(poses); }
    void close() override { m_file.close(); }

private:
    File m_file;
};

}  // namespace

std::unique_ptr<PoseFile> makePoseFile(scene::OutputKind kind, const std::string& path,
                                       const scene::SceneDescription& scene, const Models& models) {
    switch (kind) {
        case scene::OutputKind::States:
            return std::make_unique<PoseFileOf<SceneLogWriter>>(path, scene, models);
        case scene::OutputKind::Gltf:
            return std::make_unique<PoseFileOf<GltfFile>>(path, scene, models);
        case scene::OutputKind::Usd:
            return std::make_unique<PoseFileOf<UsdFile>>(path, scene, models);
        case scene::OutputKind::Vtu:
            return std::make_unique<PoseFileOf<VtuSeries>>(path, scene, models);
        case scene::OutputKind::Csv:
            return std::make_unique<PoseFileOf<TrajectoryTable>>(path, scene, models);
        default:
            return nullptr;
    }
}

}  // namespace pliant::program
