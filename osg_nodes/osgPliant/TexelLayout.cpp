// SPDX-License-Identifier: Zlib
#include "osgPliant/TexelLayout.h"

namespace osgPliant {

std::string texelDefines() {
    const auto line = [](const char* name, int value) {
        return std::string("#define PLIANT_") + name + " " + std::to_string(value) + "\n";
    };
    return line("BODY_FRAME", InstanceTexels::frame) + line("BODY_COLOUR", InstanceTexels::colour) +
           line("BODY_COORDINATES", InstanceTexels::coordinates) + line("BASIS_POSITION", BasisTexels::position) +
           line("BASIS_NORMAL", BasisTexels::normal) + line("BASIS_EACH", BasisTexels::each) +
           line("BONE_NUMBERS", BoneTexels::numbers) + line("BONE_WEIGHTS", BoneTexels::weights) +
           line("BONE_GRADIENTS", BoneTexels::gradients) + line("BONE_EACH", BoneTexels::each) +
           line("BONE_ROWS", InstanceTexels::ofBone) + line("SUM_HEAD", SumTexels::head) +
           line("SUM_POSITION", SumTexels::position) + line("SUM_NORMAL", SumTexels::normal) +
           line("SUM_EACH", SumTexels::each);
}

std::string withTexelDefines(const std::string& shader, const std::string& further) {
    const std::size_t version = shader.find("#version");
    if (version == std::string::npos) return texelDefines() + further + shader;
    const std::size_t end = shader.find('\n', version);
    if (end == std::string::npos) return shader + "\n" + texelDefines() + further;
    return shader.substr(0, end + 1) + texelDefines() + further + shader.substr(end + 1);
}

}  // namespace osgPliant
