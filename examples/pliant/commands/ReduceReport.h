// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/reduce/ReductionReport.h"

namespace pliant::program {

/// "50,000 elements ... about 4 min and 6.5 GiB", for bodies that take their time; empty for others.
std::string announcement(const CostEstimate& estimate);

/// Notes, the basis and a line per stage, on standard output.
void printReport(const ReductionReport& report);

}  // namespace pliant::program
