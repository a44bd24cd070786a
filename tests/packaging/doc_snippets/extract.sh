#!/bin/sh
# SPDX-License-Identifier: Zlib
# extract.sh PAGE.md FOLDER COUNT: writes the C++ blocks of a page that are no whole programs (those are compared with
# the examples) as FOLDER/1.inc, 2.inc, ...; fails where the page has another number of them than COUNT.
set -eu
page=$1 folder=$2 count=$3
mkdir -p "$folder"
rm -f "$folder"/*.inc
awk -v page="$page" -v folder="$folder" -v count="$count" '
    /^```cpp$/ { inside = 1; line = NR + 1; text = ""; program = 0; next }
    /^```$/ && inside {
        inside = 0
        if (program) next
        file = folder "/" ++found ".inc"
        printf "#line %d \"%s\"\n%s", line, page, text > file
        close(file)
        next
    }
    inside { text = text $0 "\n"; if ($0 ~ /^int main\(/) program = 1 }
    END {
        if (found + 0 == count) exit 0
        printf "%s has %d C++ blocks, %d are compiled: add what is around the new one to tests/packaging/doc_snippets/, " \
               "and the number in its CMakeLists.txt\n", page, found, count > "/dev/stderr"
        exit 1
    }' "$page"
