"""The command line: the only place that knows Click, prints, and decides about exit statuses."""
