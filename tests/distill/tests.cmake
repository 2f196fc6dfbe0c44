foreach(name checks hard_cases drift regeneration map)
  python_test(distill_${name} e2e distill/${name}_test.py)
endforeach()
