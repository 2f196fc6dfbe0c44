"""All attacks in the order of docs/security.md, and the table that is shown there."""
from hostile import (attacks_on_evidence, attacks_on_files, attacks_on_kernel, attacks_on_network, attacks_on_processes,
                     attacks_on_resources, attacks_on_secrets)

GROUPS = [("secrets", attacks_on_secrets), ("network", attacks_on_network), ("files", attacks_on_files), ("kernel", attacks_on_kernel),
          ("processes", attacks_on_processes), ("resources", attacks_on_resources), ("evidence", attacks_on_evidence)]
ATTACKS = [attack for _, module in GROUPS for attack in module.ATTACKS]
BEGIN, END = "<!-- attacks: written by tests/hostile -->\n", "<!-- end of attacks -->\n"


def markdown():
    lines = ["| attack | `namespaces+landlock+seccomp` | bubblewrap | |", "| --- | --- | --- | --- |"]
    for group, module in GROUPS:
        lines.append(f"| **{group}** | | | |")
        for attack in module.ATTACKS:
            other = "-" if attack.bubblewrap == "no limits" else attack.bubblewrap
            lines.append(f"| {attack.name} | {attack.full} | {other} | {attack.note} |")
    return BEGIN + "\n" + "\n".join(lines) + "\n\n" + END
