// SPDX-License-Identifier: Zlib
// Run on two ranks: a model that they make together, and one that a single process makes with as many shares, have the
// same bits; errors of one rank reach all.
#include <cstdio>
#include <functional>

#include "InputMeshes.h"
#include "pliant/basis/ModalDerivatives.h"
#include "pliant/basis/Sketch.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/model/EncodeModel.h"
#include "pliant/reduce/MpiShares.h"
#include "pliant/reduce/Reduce.h"

namespace pliant {
namespace {

ReduceOptions options(DerivativeForm form) {
    ReduceOptions o;
    o.modes = 4;
    o.dimension = 9;
    o.derivatives = form;
    for (const int vertex : {0, 9, 17}) {
        PointForce force;
        force.vertex = vertex;
        force.force = Vector3(3.0, -2.0, 5.0);
        o.sketch.push_back(force);
    }
    return o;
}

bool sameBits(const ReducedModel& a, const ReducedModel& b) {
    const auto left = encodeModel(a, "/x.pliant"), right = encodeModel(b, "/x.pliant");
    bool same = left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i) same = left[i].bytes == right[i].bytes;
    return same;
}

/// "" or what is wrong.
std::string modelsDiffer(const WorkShares& ranks, DerivativeForm form) {
    const test::InputFolder folder;
    writeVeg(test::lopsidedBricks(), folder.file("shape.veg"));
    ReduceOptions together = options(form), alone = options(form), one = options(form);
    together.shares = ranks;
    together.cacheFile = folder.file("together.cache");
    alone.shares.count = ranks.count;
    const auto expected = reduceFile(folder.file("shape.veg"), alone);
    for (const char* pass : {"made", "from the cache of the first rank"}) {
        ReductionReport report;
        if (!sameBits(*reduceFile(folder.file("shape.veg"), together, {}, &report), *expected)) return pass;
        const bool expectCached = ranks.own == 0 && std::string(pass) != "made";
        if (report.cached.empty() == expectCached) return std::string("cache, ") + pass;
    }
    // A single share is another sum: else this test would not see who adds what.
    if (sameBits(*reduceFile(folder.file("shape.veg"), one), *expected)) return "shares do not matter";
    return {};
}

std::string messageOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Cancelled& stopped) {
        return std::string("Cancelled ") + stopped.what();
    } catch (const Error& problem) {
        return problem.what();
    }
    return {};
}

std::string errorsDiffer(const WorkShares& ranks) {
    const auto failing = [&](int bad) {
        return messageOf([&] {
            workInShares(ranks, [&](int share) -> MatrixX {
                if (share == bad) throw Error("share " + std::to_string(share), "is bad");
                return MatrixX::Zero(2, 2);
            });
        });
    };
    for (int bad = 0; bad < ranks.count; ++bad)
        if (failing(bad) != "share " + std::to_string(bad) + ": is bad") return "error of " + std::to_string(bad);
    const std::string stopped =
        messageOf([&] { workOfFirst(ranks, []() -> MatrixX { throw Cancelled("something"); }); });
    return stopped == "Cancelled cancelled during something" ? "" : "cancelled: " + stopped;
}

}  // namespace
}  // namespace pliant

int main() {
    using namespace pliant;
    const MpiRanks ranks;
    std::string problem = ranks.count() < 2 ? "run me with mpirun -np 2" : "";
    for (const DerivativeForm form : {DerivativeForm::Static, DerivativeForm::Shifted})
        if (problem.empty()) problem = modelsDiffer(ranks.shares(), form);
    if (problem.empty()) problem = errorsDiffer(ranks.shares());
    if (problem.empty() && !ranks.allFailed(20.0)) problem = "the others did not come";
    std::printf("rank %d of %d: %s\n", ranks.rank(), ranks.count(), problem.empty() ? "same bits" : problem.c_str());
    return problem.empty() ? 0 : 1;
}
