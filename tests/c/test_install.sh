#!/bin/sh
# test_install.sh BUILD CMAKE - what `cmake --install` lays down serves find_package and pkg-config, static and shared.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
"$2" --install "$1" --prefix "$dir/prefix" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
mkdir "$dir/user"
cat > "$dir/user/main.c" <<'C'
#include <hashcore.h>
#include <stdio.h>
int main(void)
{
    unsigned char out[32];
    char hex[64];
    hc_blake3_hash(out, sizeof out, NULL, "", 0, 0);
    hc_hex(hex, out, sizeof out);
    return printf("%.64s\n", hex) < 0;
}
C
cat > "$dir/user/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(hashcore 0.1 REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared hashcore::hashcore)
add_executable(static main.c)
target_link_libraries(static hashcore::hashcore_static)
C
want=af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262
expect() {
    if [ "$("$@" 2>> "$dir/log")" = "$want" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $*" >&2; fi
}
{ "$2" -S "$dir/user" -B "$dir/user/build" -DCMAKE_PREFIX_PATH="$dir/prefix" && "$2" --build "$dir/user/build"; } >> "$dir/log" 2>&1 ||
    { cat "$dir/log" >&2; exit 1; }
expect "$dir/user/build/shared"
expect "$dir/user/build/static"
lib=$(dirname "$(find "$dir/prefix" -name libhashcore.so)")
if command -v pkg-config > /dev/null; then
    sed -i "s|^prefix=.*|prefix=$dir/prefix|" "$lib/pkgconfig/hashcore.pc"
    PKG_CONFIG_PATH=$lib/pkgconfig
    export PKG_CONFIG_PATH
    cc "$dir/user/main.c" -o "$dir/user/pc" $(pkg-config --cflags --libs hashcore)
    LD_LIBRARY_PATH=$lib expect "$dir/user/pc"
else
    skipped=$((skipped + 1))
fi
echo "test_install: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
