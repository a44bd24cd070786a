// SPDX-License-Identifier: Zlib
#include "pliant/model/EncodeCharacter.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

template <typename Root>
Similarity readFrame(const SectionReader<Root>& reader, const schema::Doubles* stored, const char* what) {
    VectorX numbers;
    reader.read(stored, 8, 1, what, numbers);
    Similarity frame;
    frame.rotation.coeffs() = numbers.head<4>();
    frame.translation = numbers.segment<3>(4);
    frame.scale = numbers[7];
    return frame;
}

void decodeRig(const ModelContainer& container, CharacterModel& c) {
    const SectionReader<schema::Rig> rig(container, "rig");
    rig.require(rig->bones() != nullptr, "the bones are missing");
    rig.require(rig->base() == schema::RestShape::Skin || rig->base() == schema::RestShape::Flesh,
                "the shape at rest is unknown");
    c.base = rig->base() == schema::RestShape::Skin ? RestShape::Skin : RestShape::Flesh;
    c.linear = rig->linear();
    c.skeleton.bones.clear();
    c.coreRadii.resize(static_cast<Eigen::Index>(rig->bones()->size()));
    for (const schema::RigBone* stored : *rig->bones()) {
        Bone bone;
        bone.name = rig.text(stored->name());
        bone.parent = stored->parent();
        bone.stance = readFrame(rig, stored->stance(), "a stance");
        bone.bind = readFrame(rig, stored->bind(), "a bind frame");
        rig.readColumns(stored->ends(), rig.columns(stored->ends()), "the ends of a bone", bone.ends);
        c.coreRadii[static_cast<Eigen::Index>(c.skeleton.bones.size())] = stored->core_radius();
        c.skeleton.bones.push_back(std::move(bone));
    }
}

using SkinReader = SectionReader<schema::Skin>;

void readWeights(const SkinReader& reader, const schema::PointWeights* stored, Eigen::Index points, const char* what,
                 SkinWeights& skin) {
    reader.require(stored != nullptr, "weights are missing");
    reader.read(stored->bones(), 4, points, what, skin.bones);
    reader.read(stored->weights(), 4, points, what, skin.weights);
}

void readLists(const SkinReader& reader, const schema::NodeBones* stored, BoneLists& lists) {
    reader.require(stored != nullptr, "bones of tree nodes are missing");
    reader.readList(stored->first(), "the starts of lists of bones", lists.first);
    reader.readList(stored->bones(), "the lists of bones", lists.bones);
}

void decodeSkin(const ModelContainer& container, CharacterModel& c) {
    const SkinReader skin(container, "skin");
    readWeights(skin, skin->vertices(), c.flesh->surfaceVertexCount(), "the weights of the vertices", c.skin.vertices);
    readWeights(skin, skin->balls(), c.flesh->skeleton.restCentres.cols(), "the weights of the spheres",
                c.skin.spheres);
    readWeights(skin, skin->nodes(), c.flesh->simulationVertexCount(), "the weights of the mesh", c.skin.nodes);
    readLists(skin, skin->segment_nodes(), c.skin.segmentNodes);
    readLists(skin, skin->triangle_nodes(), c.skin.triangleNodes);
}

void decodeForcing(const ModelContainer& container, CharacterModel& c) {
    const SectionReader<schema::Forcing> forcing(container, "forcing");
    const Eigen::Index r = c.flesh->dimension(), P = forcing.columns(forcing->pairs());
    forcing.read(forcing->pairs(), 2, P, "the pairs", c.forcing.pairs);
    forcing.read(forcing->inertia(), r, 12 * P, "A", c.forcing.inertia);
    forcing.read(forcing->pose(), r, 12 * P, "G", c.forcing.pose);
}

using ClipReader = SectionReader<schema::Clips>;

Track readTrack(const ClipReader& reader, const schema::ClipTrack* stored, Eigen::Index components) {
    Track track;
    if (!stored) return track;
    VectorX times;
    reader.read(stored->times(), reader.rows(stored->times()), 1, "the times of a track", times);
    const Eigen::Index k = times.size();
    reader.require(k > 0, "a track has no keys");
    track.times.assign(times.data(), times.data() + k);
    track.steps = stored->steps();
    reader.read(stored->values(), components, k, "the values of a track", track.values);
    if (track.steps) return track;
    reader.read(stored->arrivals(), components, k, "the tangents of a track", track.arrivals);
    reader.read(stored->departures(), components, k, "the tangents of a track", track.departures);
    return track;
}

void decodeClips(const ModelContainer& container, CharacterModel& c) {
    const ClipReader clips(container, "clips");
    clips.require(clips->clips() != nullptr, "the clips are missing");
    c.clips.clear();
    for (const schema::RigClip* stored : *clips->clips()) {
        Clip clip;
        clip.name = clips.text(stored->name());
        clip.start = stored->start();
        clip.end = stored->end();
        clips.require(stored->motions() != nullptr, "the motions of a clip are missing");
        for (const schema::ClipMotion* motion : *stored->motions())
            clip.motions.push_back({motion->bone(), readTrack(clips, motion->translation(), 3),
                                    readTrack(clips, motion->rotation(), 4), readTrack(clips, motion->scale(), 1)});
        c.clips.push_back(std::move(clip));
    }
}

}  // namespace

void decodeCharacter(const ModelContainer& container, CharacterModel& character) {
    decodeRig(container, character);
    decodeSkin(container, character);
    decodeForcing(container, character);
    decodeClips(container, character);
}

}  // namespace pliant
