"""Benchmarks as ratios within one run: `python -m bench` prints them, nothing here is a test."""
