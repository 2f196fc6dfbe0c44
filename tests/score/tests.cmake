python_test(score_triage e2e score/triage.py --check ${CMAKE_SOURCE_DIR}/docs/accuracy.md)
