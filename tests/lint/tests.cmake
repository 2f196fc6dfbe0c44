# Actions: the shim, the rules of our workflows, GitHub's own view of them. scripts/deps installs node and npm.
python_test(action_shim unit lint/action_shim_test.py)
python_test(workflow_rules unit lint/workflow_rules_test.py)
python_test(actions_lint unit lint/actions_lint_test.py)
