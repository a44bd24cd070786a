// SPDX-License-Identifier: Zlib
// pliant.Scene: a scene file, stepped and drawn.
#include "Scene.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <map>

#include "Camera.h"
#include "Model.h"
#include "Progress.h"
#include "draw/ScenePainter.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/scene/SceneModels.h"
#include "world/SceneWorld.h"

namespace pliant::python {
namespace {

class Scene : public Simulation {
public:
    Scene(const scene::SceneDescription& description, program::Models models, int threads)
        : m_models(std::move(models)), m_world(description, m_models, threads) {
        const std::size_t count = m_models.size();
        std::vector<std::vector<btPliantBody*>> bodies(count);
        for (const btPliantScene::Deformable& one : m_world.deformables())
            bodies[static_cast<std::size_t>(one.m_model)].push_back(one.m_body);
        for (std::size_t i = 0; i < count; ++i)
            m_arrays.push_back(std::make_shared<BodyArrays>(m_models[i].reduced(), std::move(bodies[i])));
    }

    btPliantSystem& system() override { return m_world.system(); }
    btPliantScene& physics() { return m_world.physics(); }
    const scene::SceneDescription& description() const { return m_world.scene(); }
    const std::shared_ptr<BodyArrays>& arrays(std::size_t model) const { return m_arrays[model]; }

    void step(int count) {
        if (count < 0) throw Error("count", std::to_string(count) + " is negative");
        advance(count, [this] { m_world.step(); });
    }
    py::array_t<std::uint8_t> picture(const PictureArguments& arguments) {
        expectPicture(arguments);
        if (!m_painter || arguments.width != m_width || arguments.height != m_height) {
            if (!m_view) {
                m_view = std::make_unique<program::SceneView>(m_world, m_models);
                m_cameras = std::make_unique<scene::SceneCameras>(description(), physics().getWholeView());
            }
            m_painter = std::make_unique<program::ScenePainter>(*m_view, arguments.width, arguments.height);
            m_width = arguments.width, m_height = arguments.height;
        }
        m_view->follow(m_world);
        m_cameras->follow(physics().getPoses());
        return finishPicture(&m_painter->paint(m_cameras->views(), m_world.time()), arguments.path);
    }

private:
    program::Models m_models;
    program::SceneWorld m_world;
    std::unique_ptr<program::SceneView> m_view;
    std::unique_ptr<scene::SceneCameras> m_cameras;
    std::unique_ptr<program::ScenePainter> m_painter;
    int m_width = 0, m_height = 0;
};

std::shared_ptr<Scene> openScene(const std::filesystem::path& path, const std::map<std::string, double>& variables,
                                 const std::filesystem::path& models, int threads, const py::object& progress) {
    if (threads < 0) throw Error("threads", std::to_string(threads) + " is negative", "0 is all cores");
    const scene::GivenVariables given(variables.begin(), variables.end());
    const scene::SceneDescription description = scene::readScene(path.string(), program::sceneOptions(given));
    program::Models loaded = withProgress(progress, [&](const ProgressCallback& callback) {
        return scene::loadModels(description, [&](const scene::ModelEntry& entry) -> scene::LoadedModel {
            const std::string kept = entry.keep.empty() ? (models / (entry.name + ".pliant")).string() : entry.keep;
            files::makeFolder(files::absolute(kept).parent_path());
            if (entry.rig) {
                CharacterOptions options = program::characterOptions(entry);
                options.threads = threads;
                return program::rigOrReuse(entry.file, options, kept, callback).character;
            }
            ReduceOptions options = program::reduceOptions(entry);
            options.threads = threads;
            return program::reduceOrReuse(entry.file, options, kept, callback).model;
        });
    });
    return std::make_shared<Scene>(description, std::move(loaded), threads);
}

py::dict bodiesOf(const std::shared_ptr<Scene>& self) {
    py::dict bodies;
    for (std::size_t i = 0; i < self->description().models.size(); ++i)
        bodies[py::str(self->description().models[i].label)] = Bodies{self, self->arrays(i)};
    return bodies;
}

}  // namespace

void addScene(py::module_& module) {
    py::class_<Scene, Simulation, std::shared_ptr<Scene>>(module, "Scene", "A scene file in a world of its own.")
        .def(py::init(&openScene), py::arg("path"), py::kw_only(),
             py::arg("variables") = std::map<std::string, double>(),
             py::arg("models") = std::filesystem::path("out/models"), py::arg("threads") = 0,
             py::arg("progress") = py::none(),
             "Reads a scene. Meshes are reduced once and kept in the folder `models`; `progress` is told of it. "
             "`variables` take the place of the file's.")
        .def("step", &Scene::step, py::arg("count") = 1, "Makes steps of `step_length` seconds, events included.")
        .def_property_readonly(
            "time",
            [](Scene& self) {
                self.expectIdle();
                return self.physics().getTime();
            },
            "Simulated time, s.")
        .def_property_readonly(
            "duration", [](const Scene& self) { return self.description().time.duration; },
            "How long the file wants to run, s.")
        .def_property_readonly(
            "step_length", [](const Scene& self) { return self.description().time.step(); }, "s")
        .def_property_readonly(
            "is_stopped",
            [](Scene& self) {
                self.expectIdle();
                return self.physics().isStopped();
            },
            "Whether an event has stopped the run.")
        .def_property_readonly("bodies", &bodiesOf, "Bodies by the name of their model, or of its file, a dict.")
        .def_property_readonly("warnings",
                               [](Scene& self) {
                                   self.expectIdle();
                                   return self.physics().getWarnings();
                               })
        .def_property_readonly(
            "failures",
            [](Scene& self) {
                self.expectIdle();
                return self.physics().getFailures();
            },
            "What the scene expects and did not hold so far, a sentence each.")
        .def(
            "finish",
            [](Scene& self) {
                self.expectIdle();
                self.physics().finish();
            },
            "The end of the run: what the scene expects then is checked.")
        .def(
            "number",
            [](Scene& self, const std::string& name) {
                self.expectIdle();
                const double number = self.physics().getNumber(name);
                if (std::isnan(number)) throw py::key_error("no sensor has the number \"" + name + "\"");
                return number;
            },
            py::arg("name"), "A number of a sensor at the end of the last step: \"tip.position.z\".")
        .def(
            "picture",
            [](Scene& self, const py::object& path, int width, int height) {
                self.expectIdle();
                return self.picture({path, width, height, py::none(), py::none(), 0.0});
            },
            py::arg("path") = py::none(), py::kw_only(), py::arg("width") = 1280, py::arg("height") = 720,
            "Draws the scene with its own cameras: (height, width, 3) bytes, written to `path` as well.");
}

}  // namespace pliant::python
