#!/bin/sh
# test_header.sh INCLUDE - hashcore.h compiles by itself as every language it promises, by every compiler there is.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '#include "hashcore.h"\n#include "hashcore.h"\nint main(void) { hc_options o = HC_OPTIONS_INIT; hc_file f = HC_FILE_INIT; return (int)(o.given + f.threads); }\n' > "$dir/h.c"
cp "$dir/h.c" "$dir/h.cc"
passed=0 failed=0 skipped=0
try() {
    if ! command -v "$1" > /dev/null 2>&1; then
        skipped=$((skipped + 1))
    elif "$@" -fsyntax-only -pedantic -Wall -Wextra -Werror -I"$include"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $*" >&2
    fi
}
include=$1
for std in c99 c11 c17; do
    try gcc -std=$std "$dir/h.c"
    try clang -std=$std "$dir/h.c"
done
for std in c++11 c++17 c++20; do
    try g++ -std=$std "$dir/h.cc"
    try clang++ -std=$std "$dir/h.cc"
done
echo "test_header: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
