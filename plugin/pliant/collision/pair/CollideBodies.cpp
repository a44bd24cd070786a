// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/CollideBodies.h"

#include <algorithm>

#include "pliant/collision/pair/MeetingPairs.h"
#include "pliant/collision/pair/SegmentPairTest.h"
#include "pliant/collision/pair/TreeDescent.h"

namespace pliant {

namespace {

/// The boxes of a body as they are.
class PresentBoxes {
public:
    explicit PresentBoxes(const DeformedBody& body)
        : m_body(body),
          m_boxes(&body.rotatedBox(0)),
          m_spheres(body.rotatedSpheres()),
          m_segments(body.model().skeleton().segments.data()) {}
    const DeformedBody& body() const { return m_body; }
    const BoxF& node(int i) const { return m_boxes[i]; }
    BoxF segment(int i) const { return segmentBox(m_spheres, m_segments + 2 * static_cast<std::size_t>(i)); }

private:
    const DeformedBody& m_body;
    const BoxF* m_boxes;  ///< of all nodes
    const float* m_spheres;
    const int* m_segments;
};

/// Segments that may be within the margin, out of the trees, ascending: so are the contacts that come of them.
void descend(const DeformedBody& a, const DeformedBody& b, const Vector3& shift, double margin, SegmentPairs& found) {
    const float reach = cullingMargin(a.outerBox(), b.outerBox(), shift, margin);
    found.clear();
    descendTogether(PresentBoxes(a), PresentBoxes(b), BoxTest(shift, reach),
                    [&](int segmentA, int segmentB) { found.emplace_back(segmentA, segmentB); });
    keepNear(a, b, margin, found);
    std::sort(found.begin(), found.end());
}

/// Those of a list that may be within the margin, as far as it can be told of several at once.
/// @return whether it could
bool thinTogether(const DeformedBody& a, const DeformedBody& b, double margin, const PairCandidates::Pairs& list,
                  SegmentPairs& found) {
    found.assign(list.begin(), list.end());
    if (!a.spheresAreCurrent() || !b.spheresAreCurrent()) return false;
    keepNear(a, b, margin, found);
    return true;
}

/// The same, whether the spheres are there or have to be evaluated one by one.
void thin(const DeformedBody& a, const DeformedBody& b, double margin, const PairCandidates::Pairs& list,
          SegmentPairs& found) {
    if (thinTogether(a, b, margin, list, found)) return;
    const SegmentPairTest test(a, b, margin, nullptr);
    const auto isApart = [&](const std::pair<int, int>& pair) { return !test.mayTouch(pair.first, pair.second); };
    found.erase(std::remove_if(found.begin(), found.end(), isApart), found.end());
}

/// Brings the near list up to date. @return false: the bodies are too fast for lists
bool listCandidates(const DeformedBody& a, const DeformedBody& b, double margin, const Vector3& shift,
                    PairCandidates& candidates) {
    SegmentPairs& found = pairsOfThread();
    candidates.noteMotion(a, b);
    if (candidates.nearCovers(a, b, margin)) return true;
    if (!candidates.cover(a, b, margin)) {
        const double skin = candidates.skin(a, b);
        candidates.restart(a, b, skin > 0.0 ? margin + skin : 0.0);
        if (skin <= 0.0) return false;
        descend(a, b, shift, margin + skin, found);
        candidates.storeFar(found);
    }
    thin(a, b, candidates.restartNear(a, b, margin), candidates.far(), found);
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
    SegmentPairs& found = pairsOfThread();
    if (candidates && listCandidates(a, b, margin, test.shift(), *candidates))
        thinTogether(a, b, margin, candidates->near(), found);
    else
        descend(a, b, test.shift(), margin, found);
    for (const auto& [segmentA, segmentB] : found) {
        SkeletonContact contacts[2];
        const int count = test.collide(segmentA, segmentB, contacts);
        out.insert(out.end(), contacts, contacts + count);
    }
}

}  // namespace pliant
