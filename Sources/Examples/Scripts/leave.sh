#!/bin/sh
# Asks whether a person is still there, and does something with the answer: leave.sh [SURFACE]
set -eu
surface=${1:-lobby/kiosk-1/modal}

answer=$(alertbus raise "$surface" "leave-$$" --wait --ttl 2m --priority 2 \
    --title "Are you still there?" --body "You will be signed out otherwise." \
    --action stay="I am here" --action leave="Sign out") || answer=nobody

case $answer in
    '{"action":"stay"}') echo "stays" ;;
    *) echo "signed out ($answer)" ;;
esac
