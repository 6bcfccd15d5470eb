#!/bin/sh
# Runs a browser in namespaces of its own: no network, no sockets of other programs, no processes but its own. What its pages
# ask for reaches us through its pipe, and nothing else can leave. The kernel ends them all when their parent ends.
# $NAMESPACES: options of unshare. $RENDERER: the program; the arguments are its own.
echo 1000 2>/dev/null >/proc/self/oom_score_adj
# shellcheck disable=SC2016,SC2086
exec setpriv --pdeathsig KILL unshare $NAMESPACES --net --ipc --mount --fork --kill-child -- sh -c '
  mount -t tmpfs none /run && exec setpriv --inh-caps=-all --ambient-caps=-all -- "$RENDERER" "$@"' sh "$@"
