python_test(distill_checks e2e distill/checks_test.py)
