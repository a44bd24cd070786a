// SPDX-License-Identifier: Zlib
// Scales of bones over whole clips. The scale of T_b is a product along the chain of bones, of curves that each have
// their own keys. The range of each factor is exact, the product of ranges a bound; where the bound says too little,
// time is halved until it says enough, or a bone is met that leaves its limits.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pliant/math/Error.h"
#include "pliant/rig/CarriesSkin.h"
#include "pliant/rig/Rig.h"
#include "pliant/rig/TrackRange.h"

namespace pliant {

namespace {

/// Scales of single precision leave limits that are meant to be met by rounding.
constexpr double leastTaken = leastBoneScale * (1 - 1e-6), mostTaken = mostBoneScale * (1 + 1e-6);
/// How many curves may be looked at: so many a key, and so many at least.
constexpr std::int64_t workEach = 8, workAtLeast = 10'000'000;

struct Bounds {
    double least = 1.0, most = 1.0;
};

class ScaleCheck {
public:
    ScaleCheck(const Rig& rig, const Clip* clip, std::string where)
        : m_rig(rig),
          m_carries(carriesSkin(rig)),
          m_tracks(rig.skeleton.bones.size(), nullptr),
          m_bounds(rig.skeleton.bones.size()),
          m_where(std::move(where)),
          m_work(workAtLeast) {
        for (std::size_t b = 0; clip && b < clip->motions.size(); ++b) addTrack(clip->motions[b]);
    }

    void run() {
        if (m_from >= m_to) m_from = 0.0, m_to = 1.0;
        check(m_from, m_to);
    }

private:
    void addTrack(const BoneMotion& motion) {
        if (motion.scale.times.empty()) return;
        m_tracks[static_cast<std::size_t>(motion.bone)] = &motion.scale;
        m_work += workEach * static_cast<std::int64_t>(motion.scale.times.size());
        m_from = std::min(m_from, motion.scale.times.front());
        m_to = std::max(m_to, std::nextafter(motion.scale.times.back(), 1e300));
    }

    double binding(std::size_t b) const { return m_rig.skeleton.bones[b].bind.scale; }

    /// World scales of all bones over an interval, parents first. @return whether all that carry skin are sure to fit
    bool boundAll(double from, double to) {
        bool sure = true;
        for (std::size_t b = 0; b < m_tracks.size(); ++b) {
            const Bone& bone = m_rig.skeleton.bones[b];
            Bounds own{bone.stance.scale, bone.stance.scale};
            if (m_tracks[b]) {
                const TrackRange range = rangeOf(*m_tracks[b], 0, from, to);
                own = {range.least, range.most};
            }
            const Bounds above = bone.parent < 0 ? Bounds{} : m_bounds[static_cast<std::size_t>(bone.parent)];
            m_bounds[b] = {above.least * own.least, above.most * own.most};
            sure = sure && (!m_carries[b] || (m_bounds[b].least >= leastTaken * binding(b) &&
                                              m_bounds[b].most <= mostTaken * binding(b)));
        }
        m_work -= static_cast<std::int64_t>(m_tracks.size());
        return sure;
    }

    /// @throws Error for bones that leave their limits at that very time
    void checkAt(double time, bool isStill) {
        std::vector<double> world(m_tracks.size(), 1.0);
        for (std::size_t b = 0; b < world.size(); ++b) {
            const Bone& bone = m_rig.skeleton.bones[b];
            double own = bone.stance.scale;
            if (m_tracks[b]) evaluate(*m_tracks[b], time, &own);
            world[b] = own * (bone.parent < 0 ? 1.0 : world[static_cast<std::size_t>(bone.parent)]);
            const double scale = world[b] / binding(b);
            if (m_carries[b] && !(scale >= leastTaken && scale <= mostTaken))
                throw Error(
                    m_where + (isStill ? "" : ", " + std::to_string(time) + " s"),
                    "bone \"" + bone.name + "\" is scaled by " + std::to_string(scale) + " since its skin was bound",
                    "scales of 0.5 to 2 are taken; bind the skin at the size that it has in its clips");
        }
        m_work -= static_cast<std::int64_t>(m_tracks.size());
    }

    /// A key inside of the interval that is near its middle, or the middle: steps jump at keys, and no half may hold
    /// both sides of a jump.
    double splitOf(double from, double to) const {
        const double middle = from + 0.5 * (to - from);
        double best = middle, distance = 0.25 * (to - from);
        bool isKey = false;
        for (const Track* track : m_tracks) {
            if (!track) continue;
            const auto next = std::lower_bound(track->times.begin(), track->times.end(), middle);
            for (auto key = next == track->times.begin() ? next : next - 1; key != track->times.end() && key <= next;
                 ++key) {
                if (!(*key > from && *key < to)) continue;
                const double d = std::abs(*key - middle);
                if (isKey ? d < distance : (track->steps || d < distance)) best = *key, distance = d, isKey = true;
            }
        }
        return best;
    }

    void check(double from, double to) {
        const bool isStill = std::all_of(m_tracks.begin(), m_tracks.end(), [](const Track* t) { return !t; });
        if (boundAll(from, to)) return;
        checkAt(from, isStill);
        if (isStill) return;
        const double split = splitOf(from, to);
        if (!(split > from && split < to)) return;  // there is no time in between
        if (m_work < 0)
            throw Error(m_where + ", " + std::to_string(from) + " s",
                        "the scales of too many bones one below another change at once to be bounded",
                        "scale fewer bones, or their first one alone");
        check(from, split);
        check(split, to);
    }

    const Rig& m_rig;
    std::vector<bool> m_carries;
    std::vector<const Track*> m_tracks;  ///< of scales, one a bone, or null
    std::vector<Bounds> m_bounds;        ///< of world scales, one a bone
    std::string m_where;
    double m_from = 1e300, m_to = -1e300;
    std::int64_t m_work;  ///< what may still be looked at
};

}  // namespace

void checkBoneScales(const Rig& rig, const std::string& where) {
    ScaleCheck(rig, nullptr, where).run();
    for (const Clip& clip : rig.clips) ScaleCheck(rig, &clip, where + ": clip \"" + clip.name + "\"").run();
}

}  // namespace pliant
