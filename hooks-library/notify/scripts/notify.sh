#!/bin/sh
# Notifies a person. Names are passed to the other program as arguments or environment variables, never as part of a script.
set -u
cat > /dev/null
directory=${PITON_REPO:-${PITON_CWD:-$PWD}}
project=${directory##*/}
title="${PITON_AGENT:-agent}: $project"
case ${PITON_EVENT:-} in
  stop) text='The agent has finished.' ;;
  *) text='The agent waits for you.' ;;
esac

if command -v notify-send > /dev/null 2>&1; then
  notify-send --app-name=Piton -- "$title" "$text" && exit 0
fi
if command -v terminal-notifier > /dev/null 2>&1; then
  terminal-notifier -title "$title" -message "$text" && exit 0
fi
if command -v osascript > /dev/null 2>&1; then
  osascript -e 'on run argv' -e 'display notification (item 2 of argv) with title (item 1 of argv)' -e 'end run' "$title" "$text" && exit 0
fi
if command -v powershell.exe > /dev/null 2>&1; then
  PITON_TITLE=$title PITON_TEXT=$text WSLENV="${WSLENV:+$WSLENV:}PITON_TITLE:PITON_TEXT" powershell.exe -NoProfile -Command '
    Add-Type -AssemblyName System.Windows.Forms
    $icon = New-Object System.Windows.Forms.NotifyIcon
    $icon.Icon = [System.Drawing.SystemIcons]::Information
    $icon.Visible = $true
    $icon.ShowBalloonTip(5000, $env:PITON_TITLE, $env:PITON_TEXT, "Info")
    Start-Sleep -Seconds 5' && exit 0
fi
# The bell of the terminal that the agent runs in.
{ printf '\a' > /dev/tty; } 2> /dev/null
exit 0
