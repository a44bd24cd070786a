// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>
