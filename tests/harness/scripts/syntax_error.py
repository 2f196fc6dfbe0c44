# ends: raised SyntaxError
print("RESULT: never"
x = 1
