// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/CollideBodies.h"

#include <algorithm>

#include "pliant/collision/pair/SegmentPairTest.h"
#include "pliant/collision/pair/TreeDescent.h"

namespace pliant {

namespace {

/// The boxes of a body as they are.
class PresentBoxes {
public:
    explicit PresentBoxes(const DeformedBody& body) : m_body(body) {}
    const DeformedBody& body() const { return m_body; }
    const BoxF& node(int i) const { return m_body.rotatedBox(i); }
    BoxF segment(int i) const {
        return segmentBox(m_body.rotatedSpheres(),
                          m_body.model().skeleton().segments.data() + 2 * static_cast<std::size_t>(i));
    }

private:
    const DeformedBody& m_body;
};

/// Calls touch(segmentA, segmentB) for segments whose boxes may be within the margin.
template <typename Touch>
void descend(const DeformedBody& a, const DeformedBody& b, const Vector3& shift, double margin, const Touch& touch) {
    const float reach = cullingMargin(a.outerBox(), b.outerBox(), shift, margin);
    descendTogether(PresentBoxes(a), PresentBoxes(b), BoxTest(shift, reach), touch);
}

/// Brings the near list up to date. @return false: the bodies are too fast for lists
bool listCandidates(const DeformedBody& a, const DeformedBody& b, double margin, const Vector3& shift,
                    PairCandidates& candidates) {
    static thread_local PairCandidates::Pairs found;
    candidates.noteMotion(a, b);
    if (candidates.nearCovers(a, b, margin)) return true;
    if (!candidates.cover(a, b, margin)) {
        const double skin = candidates.skin(a, b);
        candidates.restart(a, b, skin > 0.0 ? margin + skin : 0.0);
        if (skin <= 0.0) return false;
        const SegmentPairTest far(a, b, margin + skin, nullptr);
        found.clear();
        descend(a, b, shift, margin + skin, [&](int segmentA, int segmentB) {
            if (far.mayTouch(segmentA, segmentB)) found.emplace_back(segmentA, segmentB);
        });
        candidates.storeFar(found);
    }
    const SegmentPairTest near(a, b, candidates.restartNear(a, b, margin), nullptr);
    found.clear();
    for (const auto& pair : candidates.far())
        if (near.mayTouch(pair.first, pair.second)) found.push_back(pair);
    candidates.storeNear(found);
    return true;
}

}  // namespace

int collideSegments(const DeformedBody& a, int segmentA, const DeformedBody& b, int segmentB, double margin,
                    SkeletonContact* out, const ContactHistory* history) {
    return SegmentPairTest(a, b, margin, history).collide(segmentA, segmentB, out);
}

void collideBodies(const DeformedBody& a, const DeformedBody& b, double margin, std::vector<SkeletonContact>& out,
                   const ContactHistory* history, PairCandidates* candidates) {
    if (a.model().skeletonTree().nodes.empty() || b.model().skeletonTree().nodes.empty()) return;
    const SegmentPairTest test(a, b, margin, history);
    const std::size_t first = out.size();
    const auto touch = [&](int segmentA, int segmentB) {
        SkeletonContact found[2];
        const int count = test.collide(segmentA, segmentB, found);
        out.insert(out.end(), found, found + count);
    };
    if (candidates && listCandidates(a, b, margin, test.shift(), *candidates))
        for (const auto& [segmentA, segmentB] : candidates->near()) touch(segmentA, segmentB);
    else
        descend(a, b, test.shift(), margin, touch);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
