// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/Commands.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/model/ReducedModel.h"

namespace pliant::program {
namespace {

/// Reads [q_0, ..., q_{r-1}] or {"q": [...]}.
VectorX readCoordinates(const std::string& path, int dimension) {
    const std::string text = readTextFile(path);
    nlohmann::json json;
    try {
        json = nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& problem) {
        throw Error(path, std::string("is not JSON: ") + problem.what());
    }
    if (json.is_object() && json.contains("q")) json = json["q"];
    if (!json.is_array()) throw Error(path, "needs a list of numbers, or {\"q\": [...]}");
    if (static_cast<int>(json.size()) != dimension)
        throw Error(path, fmt::format("has {} numbers, the model has r = {}", json.size(), dimension));
    VectorX q(dimension);
    for (int i = 0; i < dimension; ++i) {
        const nlohmann::json& value = json[static_cast<std::size_t>(i)];
        if (!value.is_number() || !std::isfinite(value.get<double>()))
            throw Error(path, fmt::format("entry {} is not a finite number", i));
        q[i] = value.get<double>();
    }
    return q;
}

void printForcesJson(double energy, const VectorX& force, const MatrixX& stiffness) {
    nlohmann::ordered_json json;
    json["energy"] = energy;
    json["force"] = std::vector<double>(force.begin(), force.end());
    json["stiffness"] = nlohmann::ordered_json::array();
    for (Eigen::Index i = 0; i < stiffness.rows(); ++i) {
        const VectorX row = stiffness.row(i).transpose();
        json["stiffness"].push_back(std::vector<double>(row.begin(), row.end()));
    }
    fmt::print("{}\n", json.dump());
}

void printForcesText(double energy, const VectorX& force, const MatrixX& stiffness) {
    fmt::print("energy {:.17g} J\nforce", energy);
    for (const double value : force) fmt::print(" {:.17g}", value);
    fmt::print("\nstiffness\n");
    for (Eigen::Index i = 0; i < stiffness.rows(); ++i) {
        for (Eigen::Index j = 0; j < stiffness.cols(); ++j) fmt::print(" {:.17g}", stiffness(i, j));
        fmt::print("\n");
    }
}

}  // namespace

void addEvalCommand(CLI::App& app) {
    struct EvalArguments {
        std::string model, coordinates;
        bool json = false;
    };
    CLI::App* command = app.add_subcommand("eval", "strain energy, force and stiffness at reduced coordinates q");
    const auto arguments = std::make_shared<EvalArguments>();
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command->add_option("--q", arguments->coordinates, "JSON file with the r numbers")->required();
    command->add_flag("--json", arguments->json, "for programs");
    command->callback([arguments] {
        const std::shared_ptr<const ReducedModel> model = loadModel(arguments->model);
        const VectorX q = readCoordinates(arguments->coordinates, model->dimension());
        const StrainEnergyPolynomial& polynomial = model->energy;
        (arguments->json ? printForcesJson : printForcesText)(polynomial.energy(q), polynomial.force(q),
                                                              polynomial.stiffness(q));
    });
}

}  // namespace pliant::program
