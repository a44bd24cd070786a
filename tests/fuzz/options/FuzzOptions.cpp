// SPDX-License-Identifier: Zlib
// Texts that options take and scenes repeat: the first byte says whether they are a region of a body ('r'), a region of
// material ('m'), a variable ('v'), an expression ('e'), one that may use the time ('t'), or a unit ('u').
#include <cmath>

#include "../Door.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/reduce/BodyRegion.h"
#include "pliant/scene/Scope.h"

namespace {

using namespace pliant;

template <typename Region>
void readRegion(const std::string& text) {
    const std::string once = Region::parse(text).text();
    fuzz::expect(Region::parse(once).text() == once, "a region that is told is read again as the same");
}

scene::Scope scope() {
    scene::Scope made;
    made.set("rows", 4.0);
    made.set("i", 1.0);
    return made;
}

void readExpression(const std::string& text, bool live) {
    if (!live) {
        fuzz::expect(std::isfinite(scope().evaluate(text)), "expressions have finite values");
        return;
    }
    const scene::LiveNumber number = scope().compile(text, -10.0, 10.0);
    for (const double t : {0.0, 0.25, 1e6}) {
        const double value = number.at(t);
        fuzz::expect(value >= -10.0 && value <= 10.0, "numbers that change with time stay within their bounds");
    }
}

void readKind(char kind, const std::string& text) {
    switch (kind) {
        case 'r':
            return readRegion<BodyRegion>(text);
        case 'm':
            return readRegion<MaterialRegion>(text);
        case 'v':
            fuzz::expect(std::isfinite(scene::parseGivenVariable(text).second), "variables have finite values");
            return;
        case 'u':
            fuzz::expect(metresPerUnit(text) > 0.0, "units are lengths");
            return;
        default:
            return readExpression(text, kind == 't');
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::Acceptance acceptance("options");
    if (size < 1 || size > 20000) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::MemoryLimit limit(size);
    bool accepted = true;
    try {
        readKind(static_cast<char>(data[0]), text);
    } catch (const Error&) {
        accepted = false;
    }
    acceptance.note(accepted);
    return 0;
}
