// SPDX-License-Identifier: Zlib
// The solids of the scenes beside this folder.
#pragma once

#include "ImplicitShape.h"
#include "Revolved.h"

namespace solids {

ImplicitShape cow();    ///< 0.62 m long, black and white; looks along +x and stands on z = 0
Revolved apple();       ///< 8 cm, with a stalk; its middle at the origin
Revolved tyre();        ///< 0.6 m across, with a tread; its axis is z
Revolved plate();       ///< 24 cm across, 5 mm thick; its foot on z = 0
ImplicitShape jelly();  ///< a cube of 0.2 m with round edges; its middle at the origin
Revolved peg();         ///< 12 cm long, 4 cm across; its middle at the origin
Revolved socket();      ///< 8 cm high, 12 cm across, for a peg with 0.2 mm of clearance; stands on z = 0
Revolved hose();        ///< 60 cm long, 3 cm across, ends rounded; its middle at the origin, its axis is z
Revolved plug();        ///< 6 cm across, rounded at both ends, 16 cm long, with a waist; its middle at the origin
ImplicitShape
alpha();  ///< a wire of 6 mm, bent to an alpha: a loop of 8 cm about y, the origin in its middle, ends down

}  // namespace solids
