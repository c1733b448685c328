# common.sh - what the scripts share: the checkout, quiet steps, and installing what is lacking. Sourced by bash.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${HASHCORE_BUILD:-$root/build}
cd "$root" || exit 1
mkdir -p "$build"

# step TEXT COMMAND...: runs it quietly; shows the log only when it fails.
step() {
    local text=$1 log started=$SECONDS
    shift
    log=$build/$(printf '%s' "$text" | tr -c 'A-Za-z0-9' '-').log
    printf '%-58s' "$text ..."
    if "$@" > "$log" 2>&1; then
        printf 'ok %3d s\n' $((SECONDS - started))
    else
        printf 'FAILED\n'
        tail -n 60 "$log"
        return 1
    fi
}

# lacks TEST... : true when the test command fails.
lacks() { ! "$@" > /dev/null 2>&1; }

# install PACKAGE...: Debian packages, as root; else says the one line to run and ends.
install_packages() {
    [ $# -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ] || lacks command -v apt-get; then
        echo "These Debian packages are lacking; as root run:"
        echo "    apt-get update && apt-get install -y $*"
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    step "apt-get update" apt-get update && step "apt-get install $*" apt-get install -y --no-remove "$@" || exit 1
}

# What building and running all four languages needs; says nothing about what is there.
need_everything() {
    local want=()
    lacks command -v cc && want+=(gcc)
    lacks command -v c++ && want+=(g++)
    lacks command -v make && want+=(make)
    lacks command -v cmake && want+=(cmake)
    lacks command -v pkg-config && want+=(pkg-config)
    lacks command -v python3 && want+=(python3)
    lacks python3 -c 'import venv, ensurepip' && want+=(python3-venv)
    lacks python3 -c 'import os, sysconfig; open(os.path.join(sysconfig.get_path("include"), "Python.h"))' && want+=(python3-dev)
    lacks command -v lua5.4 && want+=(lua5.4)
    lacks pkg-config --exists lua5.4 && want+=(liblua5.4-dev)
    lacks command -v node && want+=(nodejs libnode-dev)
    lacks command -v npm && want+=(npm)
    install_packages "${want[@]}"
}

jobs=$(nproc 2> /dev/null || echo 2)
venv=$build/venv
python=$venv/bin/python

build_c() {
    cmake -S "$root" -B "$build/c" -DCMAKE_INSTALL_PREFIX="$build/prefix" -DHASHCORE_LUA=5.4 "$@" &&
        cmake --build "$build/c" -j "$jobs" && cmake --install "$build/c"
}
build_python() {
    { [ -x "$python" ] || python3 -m venv "$venv"; } && "$python" -m pip install -q --disable-pip-version-check "$root" "$@"
}
build_node() { npm install --no-audit --no-fund --no-package-lock; }
# Where `cmake --install` put the Lua module.
lua_env() {
    export LUA_PATH="$build/prefix/share/lua/5.4/?.lua;$build/prefix/share/lua/5.4/?/init.lua;;"
    export LUA_CPATH="$build/prefix/lib/lua/5.4/?.so;;"
}
