// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <map>
#include <set>

#include "pliant/rig/gltf/GltfAccessor.h"
#include "pliant/rig/gltf/RigParts.h"

namespace pliant::gltf {

namespace {

/// Every key's three scales as one. Derivatives, which may be anything, are averaged.
MatrixX uniformScales(const MatrixX& scales, bool areDerivatives, const std::string& where) {
    MatrixX one(1, scales.cols());
    for (Eigen::Index k = 0; k < scales.cols(); ++k)
        one(0, k) = areDerivatives ? scales.col(k).mean()
                                   : uniformScale(scales.col(k), where + ", key " + std::to_string(k) + ",");
    return one;
}

/// Every third column, from `first` on: splines store arrival, value and departure of each key.
MatrixX everyThird(const MatrixX& all, Eigen::Index first) {
    MatrixX some(all.rows(), all.cols() / 3);
    for (Eigen::Index k = 0; k < some.cols(); ++k) some.col(k) = all.col(3 * k + first);
    return some;
}

Track readTrack(const GltfFile& file, const JsonPlace& sampler, const std::string& path, const std::string& where) {
    const MatrixX input = readNumbers(file, sampler.at("input"), {"SCALAR"}, Meaning::Floats);
    const bool turns = path == "rotation", scales = path == "scale";
    MatrixX output = readNumbers(file, sampler.at("output"), {turns ? "VEC4" : "VEC3"},
                                 turns ? Meaning::Fractions : Meaning::Floats);
    const std::string kind = sampler.has("interpolation") ? sampler.at("interpolation").text() : "LINEAR";
    if (kind != "LINEAR" && kind != "STEP" && kind != "CUBICSPLINE")
        sampler.at("interpolation").fail("\"" + kind + "\" is unknown", "LINEAR, STEP and CUBICSPLINE are possible");
    const Eigen::Index needed = kind == "CUBICSPLINE" ? 3 * input.cols() : input.cols();
    if (output.cols() != needed)
        throw Error(where, std::to_string(input.cols()) + " times and " + std::to_string(output.cols()) +
                               " values, of which there have to be " + std::to_string(needed));
    std::vector<double> times(input.data(), input.data() + input.size());
    for (std::size_t k = 0; k < times.size(); ++k)
        if (times[k] < 0.0 || (k > 0 && times[k] <= times[k - 1]))
            throw Error(where,
                        "times do not grow at key " + std::to_string(k) + " (" + std::to_string(times[k]) + " s)");
    if (kind == "CUBICSPLINE") {
        MatrixX in = everyThird(output, 0), values = everyThird(output, 1), out = everyThird(output, 2);
        if (scales) {
            in = uniformScales(in, true, where);
            values = uniformScales(values, false, where);
            out = uniformScales(out, true, where);
        }
        return splineTrack(std::move(times), std::move(values), std::move(in), std::move(out));
    }
    if (scales) output = uniformScales(output, false, where);
    // Quaternions of 8 and 16 bits are off by their rounding.
    for (Eigen::Index k = 0; turns && k < output.cols(); ++k)
        if (output.col(k).norm() > 0.5) output.col(k).normalize();
    return kind == "STEP" ? stepTrack(std::move(times), std::move(output))
                          : smoothTrack(std::move(times), std::move(output), turns);
}

/// Tracks of a clip while its channels are read.
struct OpenClip {
    std::map<int, BoneMotion> motions;  ///< by bone
    int others = 0;                     ///< channels that move no bone
};

void readChannel(const GltfFile& file, const JsonPlace& animation, const JsonPlace& channel, const BoneNumbers& bones,
                 const std::string& name, OpenClip& clip) {
    const JsonPlace target = channel.at("target");
    const std::string path = target.at("path").text();
    const int bone = target.has("node") ? bones.boneOfNode[file.indexIn("nodes", target.at("node"))] : -1;
    if (bone < 0 || (path != "translation" && path != "rotation" && path != "scale")) {
        ++clip.others;
        return;
    }
    const JsonPlace samplers = animation.at("samplers"), number = channel.at("sampler");
    const auto sampler = static_cast<std::size_t>(number.integer(0, static_cast<std::int64_t>(samplers.size()) - 1));
    BoneMotion& motion = clip.motions[bone];
    motion.bone = bone;
    Track& track = path == "translation" ? motion.translation : path == "rotation" ? motion.rotation : motion.scale;
    const std::string where = channel.where() + ": clip \"" + name + "\", bone \"" +
                              bones.skeleton.bones[static_cast<std::size_t>(bone)].name + "\", " + path;
    if (!track.times.empty()) throw Error(where, "is moved twice");
    track = readTrack(file, samplers.at(sampler), path, where);
}

Clip closed(const OpenClip& open, const std::string& name) {
    Clip clip;
    clip.name = name;
    clip.start = 1e300;
    for (const auto& [bone, motion] : open.motions) {
        for (const Track* track : {&motion.translation, &motion.rotation, &motion.scale}) {
            if (track->times.empty()) continue;
            clip.start = std::min(clip.start, track->times.front());
            clip.end = std::max(clip.end, track->times.back());
        }
        clip.motions.push_back(motion);
    }
    return clip;
}

}  // namespace

std::vector<Clip> readClips(const GltfFile& file, const BoneNumbers& bones, std::vector<std::string>& notes) {
    std::vector<Clip> clips;
    std::set<std::string> taken;
    for (std::size_t a = 0; a < file.root().sizeOf("animations"); ++a) {
        const JsonPlace animation = file.root().at("animations").at(a);
        std::string name = animation.has("name") ? animation.at("name").text() : "";
        if (name.empty()) name = "clip " + std::to_string(a);
        while (!taken.insert(name).second) name += " (" + std::to_string(a) + ")";
        OpenClip open;
        const JsonPlace channels = animation.at("channels");
        for (std::size_t c = 0; c < channels.size(); ++c)
            readChannel(file, animation, channels.at(c), bones, name, open);
        if (open.others > 0)
            notes.push_back(file.path() + ": clip \"" + name + "\": " + std::to_string(open.others) +
                            " channels that move no bone are left out");
        if (!open.motions.empty()) clips.push_back(closed(open, name));
    }
    return clips;
}

}  // namespace pliant::gltf
