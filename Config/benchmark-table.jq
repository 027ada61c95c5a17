# The Markdown table of benchmark.json.
def spread: "\(.median) (\(.least) to \(.most))";
"Commit \(.commit) on \(.machine). Medians of \(.tables[0].rounds) rounds; ratios are those of single rounds: median (least to most).",
"Messages of 250 bytes, 8 producers, 256 outstanding in all, one subscriber that got everything; latency at \(.rate)/s.",
"Other programs used \(.others_cpu.median * 100 | round) % of the processors (median of the runs; \(.others_cpu.most * 100 | round) % at most).",
"",
"| journal | bus | | messages/s | server CPU per message, µs | acknowledgement p50 / p99, µs | time to screen p99, µs | most memory, KiB |",
"|---|---|---|---|---|---|---|---|",
(.tables[] | . as $t | ("bare", "arbiter") | . as $n | $t[$n] |
    "| \($t.journal) | \($t.bus) | \($n) | \(.messages_per_second) | \(.server_cpu_us_per_message) | \(.acknowledgement_p50_us) / \(.acknowledgement_p99_us) | \(.time_to_screen_p99_us) | \(.server_kib) |"),
"",
"| journal | bus | messages/s, arbiter by bare | CPU per message | acknowledgement p99 | time to screen p99 |",
"|---|---|---|---|---|---|",
(.tables[] | "| \(.journal) | \(.bus) | \(.ratios.messages_per_second | spread) | \(.ratios.server_cpu_per_message | spread) | \(.ratios.acknowledgement_p99 | spread) | \(.ratios.time_to_screen_p99 | spread) |")
