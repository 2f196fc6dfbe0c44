# ends: raised subprocess.CalledProcessError
# result: 3.0
import subprocess
import sys

done = subprocess.run([sys.executable, "-c", "import torch; print(torch.ones(3).sum().item())"], capture_output=True, text=True)
print("RESULT:", done.stdout.strip())
print([done.stderr])
print(subprocess.check_output("echo $HOME $0; ulimit -n", shell=True, text=True))
subprocess.run([sys.executable, "-c", "import sys; sys.exit(6)"], check=True)
