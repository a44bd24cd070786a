// SPDX-License-Identifier: Zlib
// Internal: which bodies are in whose hands.
#pragma once

class btRigidBody;

namespace btPliantInternal {

/// Marks a body as held by a tool for as long as it lives. Tools with a mass share a body; one without has it to
/// itself, since mass and velocity of the body are its coupling's.
class HeldBody {
public:
    /// For any thread.  @param alone whether no other tool may hold it
    /// @throws pliant::Error where another tool holds it, and one of them is to have it alone
    HeldBody(const btRigidBody& body, bool alone);
    /// Nothing of the body is read.
    ~HeldBody();
    HeldBody(const HeldBody&) = delete;
    HeldBody& operator=(const HeldBody&) = delete;

private:
    const btRigidBody* m_body;
};

}  // namespace btPliantInternal
