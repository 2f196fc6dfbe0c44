# ends: exited 0
# result: ['aten::add', 'aten::ones']
import torch

with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    torch.ones(4) + 1
names = {event.key for event in profile.key_averages()}
print("RESULT:", sorted(names & {"aten::add", "aten::ones", "aten::mm"}))
