# From all runs to one entry for each system, the fastest first.
def short: if . == null then null else . * 1000 | round / 1000 end;
def median:
    sort | (if length == 0 then null elif length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end) | short;
{
    machine: $machine, rate: ($rate | tonumber), rounds: (map(.round) | max), others_cpu: (map(.others_cpu) | median),
    peers: [group_by(.name)[] | {
        name: .[0].name, clean: all(.[]; .clean),
        messages_per_second: (map(select(.speed == "max").messages_per_second) | median),
        server_cpu_us_per_message: (map(select(.speed == "max").server_cpu_us_per_message) | median),
        acknowledgement_p50_us: (map(select(.speed != "max").acknowledgement_us.p50) | median),
        acknowledgement_p99_us: (map(select(.speed != "max").acknowledgement_us.p99) | median),
        time_to_screen_p99_us: (map(select(.speed != "max").time_to_screen_us.p99) | median)
    }] | sort_by(-.messages_per_second)
}
