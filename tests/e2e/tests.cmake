# Needs $TORCH_ROOT (scripts/torch-env prints it) and bubblewrap.
python_test(testdev e2e e2e/testdev_test.py)
