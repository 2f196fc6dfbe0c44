python_test(bench_triage bench bench/triage.py --check)
