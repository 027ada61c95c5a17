# From all runs to medians, and to the ratios of each round with their range.
def short: if . == null then null else . * 1000 | round / 1000 end;
def median:
    sort | (if length == 0 then null elif length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end) | short;
def spread: {median: median, least: (min | short), most: (max | short)};
def side(name): map(select(.name == name));
def fastest: map(select(.speed == "max"));
def paced: map(select(.speed != "max"));
def summary: {
    messages_per_second: (fastest | map(.messages_per_second) | median),
    server_cpu_us_per_message: (fastest | map(.server_cpu_us_per_message) | median),
    server_kib: (map(.server_kib) | max),
    acknowledgement_p50_us: (paced | map(.acknowledgement_us.p50) | median),
    acknowledgement_p99_us: (paced | map(.acknowledgement_us.p99) | median),
    time_to_screen_p99_us: (paced | map(.time_to_screen_us.p99) | median)
};
# The arbiter's value by the bare program's, round by round.
def ratio(value):
    [group_by(.round)[] | (side("bare") | .[0] | value) as $floor | (side("arbiter") | .[0] | value) / $floor] | spread;
{
    machine: $machine, commit: $commit, rate: ($rate | tonumber), clean: all(.[]; .clean),
    others_cpu: (map(.others_cpu) | {median: median, most: max}),
    not_clean: map(select(.clean | not) | {name, bus, journal, round, speed}),
    tables: [group_by([.journal, .bus])[] | {
        journal: .[0].journal, bus: .[0].bus, rounds: (map(.round) | max),
        bare: (side("bare") | summary), arbiter: (side("arbiter") | summary),
        ratios: {
            messages_per_second: (fastest | ratio(.messages_per_second)),
            server_cpu_per_message: (fastest | ratio(.server_cpu_us_per_message)),
            acknowledgement_p99: (paced | ratio(.acknowledgement_us.p99)),
            time_to_screen_p99: (paced | ratio(.time_to_screen_us.p99))
        }
    }]
}
