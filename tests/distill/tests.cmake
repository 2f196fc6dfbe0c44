foreach(name checks hard_cases drift regeneration map matrices)
  python_test(distill_${name} e2e distill/${name}_test.py)
endforeach()
# Needs $TORCH_ROOT (scripts/torch-env prints it).
python_test(distill_large_tree e2e distill/large_tree_test.py)
