// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandSettings.h"

#include <cmath>
#include <sstream>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

struct Range {
    const char* name;
    const char* unit;
    double value;
    bool zeroIsFine;
    bool infinityIsFine;
};

void check(const Range& range, const std::string& where) {
    const bool large = range.value > 0.0 || (range.zeroIsFine && range.value == 0.0);
    if (large && (range.infinityIsFine || std::isfinite(range.value))) return;
    std::ostringstream problem;
    problem << range.name << " of the hand is " << range.value << " " << range.unit;
    throw Error(where, problem.str(),
                range.zeroIsFine ? "give a finite number that is not negative" : "give a positive number");
}

}  // namespace

void checkHandSettings(const HandSettings& settings, const std::string& where) {
    const CouplingSettings& coupling = settings.coupling;
    const HandLimits& limits = settings.limits;
    for (const Range& range : {Range{"stiffness", "N/m", coupling.stiffness, false, false},
                               Range{"torque stiffness", "N m", coupling.torqueStiffness, false, false},
                               Range{"largest force", "N", coupling.maxForce, false, true},
                               Range{"largest torque", "N m", coupling.maxTorque, false, true},
                               Range{"speed limit", "m/s", limits.speed, false, true},
                               Range{"angular speed limit", "rad/s", limits.angularSpeed, false, true},
                               Range{"largest force of the device", "N", limits.deviceForce, true, false},
                               Range{"largest torque of the device", "N m", limits.deviceTorque, true, false},
                               Range{"largest damping of the device", "N s/m", limits.deviceDamping, true, false},
                               Range{"energy credit", "J", limits.energyCredit, true, false},
                               Range{"time of silence", "s", limits.silence, false, true},
                               Range{"time of release", "s", limits.release, false, false},
                               Range{"gyration radius", "m", settings.gyrationRadius, false, false},
                               Range{"static damping", "", settings.staticDamping, true, false},
                               Range{"damping ratio", "", settings.dampingRatio, true, false}})
        check(range, where);
    if (settings.staticDamping >= 1.0) {
        std::ostringstream problem;
        problem << "static damping of the hand is " << settings.staticDamping << ", with which a tool would never move";
        throw Error(where, problem.str(), "give a number from 0 to below 1");
    }
}

}  // namespace pliant
