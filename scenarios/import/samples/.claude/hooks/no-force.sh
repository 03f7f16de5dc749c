#!/bin/sh
# As people write it for Claude Code: the payload on stdin, a reason on stderr, exit 2.
case "$(cat)" in *--force*) echo "not with force" >&2; exit 2 ;; esac
