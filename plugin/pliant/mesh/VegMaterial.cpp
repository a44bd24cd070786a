// SPDX-License-Identifier: Zlib
#include "pliant/mesh/VegMaterial.h"

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

using Numbers = std::vector<double>;

struct Kind {
    const char* name;
    std::size_t numbers;  ///< after the name
    ElasticMaterial (*make)(const Numbers&);
};

Vector3 three(const Numbers& n, std::size_t from) {
    return {n[from], n[from + 1], n[from + 2]};
}

Matrix3 rotation(const Numbers& n, std::size_t from) {
    Matrix3 R;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) R(i, j) = n[from + static_cast<std::size_t>(3 * i + j)];
    return R;
}

ElasticMaterial makeIsotropic(const Numbers& n) {
    ElasticMaterial material;
    material.density = n[0];
    material.youngsModulus = n[1];
    material.poissonRatio = n[2];
    return material;
}

ElasticMaterial makeNine(const Numbers& n) {
    ElasticMaterial material;
    material.law = MaterialLaw::Orthotropic;
    material.density = n[0];
    material.orthotropic.youngsModuli = three(n, 1);
    material.orthotropic.poissonRatios = three(n, 4);
    material.orthotropic.shearModuli = three(n, 7);
    if (n.size() == 19) material.orthotropic.axes = rotation(n, 10);
    return material;
}

ElasticMaterial makeStable(const Numbers& n, double shearFactor, std::size_t rotationAt) {
    ElasticMaterial material;
    material.law = MaterialLaw::Orthotropic;
    material.density = n[0];
    material.orthotropic = stableOrthotropic(three(n, 1), n[4], shearFactor);
    if (n.size() > rotationAt) material.orthotropic.axes = rotation(n, rotationAt);
    return material;
}

ElasticMaterial makeStableShear(const Numbers& n) {
    return makeStable(n, n[5], 6);
}
ElasticMaterial makeStablePlain(const Numbers& n) {
    return makeStable(n, 1.0, 5);
}

ElasticMaterial makeGeneral(const Numbers& n) {
    ElasticMaterial material;
    material.law = MaterialLaw::General;
    material.density = n[0];
    std::size_t at = 1;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) material.stiffness(i, j) = material.stiffness(j, i) = n[at++];
    return material;
}

constexpr Kind kinds[] = {{"ENU", 3, makeIsotropic},
                          {"ORTHOTROPIC", 19, makeNine},
                          {"ORTHOTROPIC_N3G3R9", 19, makeNine},
                          {"ORTHOTROPIC_N3G3", 10, makeNine},
                          {"ORTHOTROPIC_N1G1R9", 15, makeStableShear},
                          {"ORTHOTROPIC_N1G1", 6, makeStableShear},
                          {"ORTHOTROPIC_N1R9", 14, makeStablePlain},
                          {"ORTHOTROPIC_N1", 5, makeStablePlain},
                          {"STIFFNESS", 22, makeGeneral}};

void append(std::string& line, double value) {
    line += ", " + numberText(value);
}

}  // namespace

ElasticMaterial parseVegMaterial(const std::vector<std::string_view>& words, const std::string& where) {
    const std::string name = upperCase(words.front());
    for (const Kind& kind : kinds) {
        if (name != kind.name) continue;
        if (words.size() - 1 != kind.numbers)
            throw Error(where,
                        name + " has " + std::to_string(words.size() - 1) + " numbers instead of " +
                            std::to_string(kind.numbers),
                        name == "ENU" ? "ENU needs density, E and nu" : "docs/materials.md lists them");
        Numbers numbers(kind.numbers);
        for (std::size_t i = 0; i < kind.numbers; ++i)
            if (!parseNumber(words[i + 1], numbers[i]))
                throw Error(where, "\"" + std::string(words[i + 1]) + "\" is not a number of the material");
        return kind.make(numbers);
    }
    throw Error(where, "material of kind \"" + std::string(words.front()) + "\"",
                "known are ENU (density, E, nu), ORTHOTROPIC and STIFFNESS");
}

std::string vegMaterialLine(const ElasticMaterial& material) {
    std::string line;
    switch (material.law) {
        case MaterialLaw::Isotropic:
            line = "ENU, " + numberText(material.density);
            append(line, material.youngsModulus);
            append(line, material.poissonRatio);
            break;
        case MaterialLaw::Orthotropic: {
            line = "ORTHOTROPIC, " + numberText(material.density);
            const OrthotropicConstants& c = material.orthotropic;
            for (const Vector3* part : {&c.youngsModuli, &c.poissonRatios, &c.shearModuli})
                for (int i = 0; i < 3; ++i) append(line, (*part)[i]);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) append(line, c.axes(i, j));
            break;
        }
        case MaterialLaw::General:
            line = "STIFFNESS, " + numberText(material.density);
            for (int i = 0; i < 6; ++i)
                for (int j = i; j < 6; ++j) append(line, material.stiffness(i, j));
            break;
    }
    return line;
}

}  // namespace pliant
