python_test(distill_checks e2e distill/checks_test.py)
python_test(distill_hard_cases e2e distill/hard_cases_test.py)
python_test(distill_drift e2e distill/drift_test.py)
