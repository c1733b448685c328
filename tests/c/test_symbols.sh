#!/bin/sh
# test_symbols.sh LIBRARY HEADER - the symbols that the shared library exports are those that the header declares.
set -u
declared=$(sed 's/^ *//' "$2" | grep -v '^#' | grep -o 'HC_API [^(]*(' | grep -o 'hc_[a-z0-9_]*(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' | sort -u)
failed=0
passed=0
for name in $(printf '%s\n%s\n' "$declared" "$exported" | sort -u); do
    d=$(printf '%s\n' "$declared" | grep -cx "$name")
    e=$(printf '%s\n' "$exported" | grep -cx "$name")
    if [ "$d" = 1 ] && [ "$e" = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        [ "$d" = 1 ] && echo "declared, not exported: $name" >&2 || echo "exported, not declared: $name" >&2
    fi
done
echo "test_symbols: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
