"""What operators see of calls: audit lines, statistics, metrics, traces, drift; and the commands that read them."""
