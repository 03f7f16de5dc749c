#!/usr/bin/env bash
set -euo pipefail
INPUT=$(cat)
LOG_FILE="${HOME}/.podium/session-audit.log"
CONV_ID=$(echo "$INPUT" | jq -r '.session_id // .conversation_id // "unknown"')
TIMESTAMP=$(date -u +%Y-%m-%dT%H:%M:%SZ)
echo "[${TIMESTAMP}] session end: ${CONV_ID}" >> "${LOG_FILE}"
