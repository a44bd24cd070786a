// SPDX-License-Identifier: Zlib
// What a batch keeps of each body that is not a vector of r numbers. Private to runtime/.
#pragma once

#include "pliant/runtime/BodyBatch.h"

namespace pliant {

/// What a body's energy should be, from step to step (EnergyGuard.cpp). J, world frame.
struct EnergyLedger {
    bool known = false;
    double energy = 0.0;   ///< Energy at the start of the last step.
    double surplus = 0.0;  ///< Energy gained without work so far, less what has been lost again.
    Vector3 angularVelocity = Vector3::Zero();
    Vector3 angularMomentum = Vector3::Zero();
};

/// What S is made of K with: S = diagonal + stiffness K + damping K_damping.
struct TangentFactors {
    double stiffness = 0.0, damping = 0.0, diagonal = 1.0;
    bool restDamping = true;

    bool operator==(const TangentFactors& o) const {
        return stiffness == o.stiffness && damping == o.damping && diagonal == o.diagonal &&
               restDamping == o.restDamping;
    }
};

/// The tangent stiffness that a body's factor was made of (ReusedTangent.cpp); its q and force are in BatchStorage.
struct ReusedTangent {
    bool known = false;
    TangentFactors factors;
    double energy = 0.0;  ///< Strain energy there, J.
    double spin = 0.0;    ///< Square |W|^2 of the angular velocity of its centrifugal terms, 1/s^2.
    /// The body's factor is that of RestTangent, made of these. Not saved: a state that is read takes the factor anew.
    bool isRest = false;
    TangentFactors restFactors;
};

/// Everything about a body that is not a vector of r numbers.
struct BodyRecord {
    bool used = false;
    BodyStatus status = BodyStatus::Ok;
    FrameMotion frame;
    bool expectsImpulses = false;  ///< Of the coming step alone (BodyBatch::expectImpulses()).
    Vector3 previousAngularVelocity = Vector3::Zero();

    // Of the last step; stepSize = 0: none yet.
    double stepSize = 0.0;
    double gamma = 0.5;
    double beta = 0.25;
    Matrix3 startInertia = Matrix3::Zero();
    Vector3 startModalMomentum = Vector3::Zero();
    bool inverted = false;              ///< The factor holds the inverse of S (SymmetricSystem.h).
    bool angularResponseValid = false;  ///< BatchStorage::angularResponse and schurInverse belong to the last step.
    int history = 0;                    ///< Number of known steps before the present state, at most 3.
    bool struck = false;                ///< Contacts have changed q' by much in this step.
    bool limited = false;               ///< The energy guard took something in this step.
    /// What has been asked of the last move of q already; used up by the judgement of it (EnergyGuard.cpp).
    struct Move {
        bool isKnown = false;        ///< Whether the next one has been asked.
        bool mayHaveGained = false;  ///< Whether the strain energy at q is to be looked at.
        bool hasStrain = false;      ///< Whether it has been evaluated.
        double strain = 0.0;         ///< Strain energy at q, J.
    } move;
    double startStrain = 0.0;  ///< Strain energy that the ledger's energy holds, J.
    EnergyLedger ledger;
    ReusedTangent tangent;

    bool rigidValid = false;  ///< The products for rigid terms and `inertia` belong to the present q.
    Matrix3 inertia = Matrix3::Zero();

    // At the end of the free step as predicted from its start.
    Vector3 endAngularVelocity = Vector3::Zero();
    Matrix3 endInertia = Matrix3::Zero();
    Matrix3 endInertiaInverse = Matrix3::Zero();
    Matrix3 schurInverse = Matrix3::Zero();  ///< Inverse of I - H Y_c H', 1/(kg m^2).
};

}  // namespace pliant
