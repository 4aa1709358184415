"""Running methods on chains: each in a process and a folder of its own, on its own outputs."""
