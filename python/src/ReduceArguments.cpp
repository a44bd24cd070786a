// SPDX-License-Identifier: Zlib
#include "ReduceArguments.h"

#include <pybind11/stl.h>

#include <functional>
#include <map>

#include "Progress.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/reduce/Reduce.h"

namespace pliant::python {
namespace {

using Setter = std::function<void(ReduceOptions&, const py::object&)>;

template <typename Number, typename Member>
Setter number(Member ReduceOptions::*member) {
    return [member](ReduceOptions& options, const py::object& value) { options.*member = value.cast<Number>(); };
}

UpAxis upAxis(const py::object& value) {
    const std::string word = value.cast<std::string>();
    if (word == "x") return UpAxis::X;
    if (word == "y") return UpAxis::Y;
    if (word == "z") return UpAxis::Z;
    throw Error("up", "\"" + word + "\" is no axis", "x, y or z");
}

const std::map<std::string, Setter>& setters() {
    static const std::map<std::string, Setter> all = {
        {"modes", number<int>(&ReduceOptions::modes)},
        {"dimension", number<int>(&ReduceOptions::dimension)},
        {"young", number<double>(&ReduceOptions::youngsModulus)},
        {"poisson", number<double>(&ReduceOptions::poissonRatio)},
        {"density", number<double>(&ReduceOptions::density)},
        {"solid", number<bool>(&ReduceOptions::solid)},
        {"thickness", number<double>(&ReduceOptions::thickness)},
        {"voxels", number<int>(&ReduceOptions::voxels)},
        {"refine", number<double>(&ReduceOptions::refine)},
        {"crease", number<double>(&ReduceOptions::creaseAngle)},
        {"surface", number<std::string>(&ReduceOptions::surface)},
        {"fixed", number<std::string>(&ReduceOptions::fixedVertices)},
        {"strain_rate", number<bool>(&ReduceOptions::strainRateDamping)},
        {"threads", number<int>(&ReduceOptions::threads)},
        {"cache", number<std::string>(&ReduceOptions::cacheFile)},
        {"up", [](ReduceOptions& options, const py::object& value) { options.up = upAxis(value); }},
        {"units",
         [](ReduceOptions& options, const py::object& value) {
             options.metresPerUnit = metresPerUnit(py::str(value).cast<std::string>());
         }},
        {"hold",
         [](ReduceOptions& options, const py::object& value) {
             for (const std::string& text : value.cast<std::vector<std::string>>())
                 options.hold.push_back(BodyRegion::parse(text));
         }},
    };
    return all;
}

void setOption(ReduceOptions& options, const std::string& keyword, const py::object& value) {
    const auto found = setters().find(keyword);
    if (found == setters().end()) {
        std::string text;
        for (const auto& [word, setter] : setters()) text += (text.empty() ? "" : ", ") + word;
        throw py::type_error("reduce() has no keyword \"" + keyword + "\"; there are: " + text);
    }
    if (value.is_none()) return;
    try {
        found->second(options, value);
    } catch (const py::cast_error&) {
        throw py::type_error("reduce(): " + keyword + " cannot be " + py::repr(value).cast<std::string>());
    }
}

}  // namespace

ModelHandle reduceWithArguments(const std::filesystem::path& path, const py::dict& arguments,
                                const py::object& progress) {
    ReduceOptions options;
    for (const auto& [keyword, value] : arguments)
        setOption(options, keyword.cast<std::string>(), py::reinterpret_borrow<py::object>(value));
    options.modesAtMost = !arguments.contains("modes") || arguments["modes"].is_none();
    options.dimensionAtMost = !arguments.contains("dimension") || arguments["dimension"].is_none();
    if (options.dimensionAtMost) options.lowerDefaultDimension();
    return withProgress(progress, [&](const ProgressCallback& callback) {
        return ModelHandle{reduceFile(path.string(), options, callback)};
    });
}

}  // namespace pliant::python
