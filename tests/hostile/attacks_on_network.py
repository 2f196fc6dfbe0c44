"""Attacks that reach for a network or for a socket of the machine. Listeners outside see what arrives."""
from hostile.attack import NOT_COVERED, Attack

ATTACKS = [
    Attack("IPv4", """
for host, port in (("127.0.0.1", places["tcp4"]), ("192.0.2.1", 80), ("169.254.169.254", 80)):
    attempt(f"connect {host}", lambda: socket.create_connection((host, port), 2))
attempt("name", lambda: socket.getaddrinfo("example.com", 80))
"""),
    Attack("IPv6", """
for host, port in (("::1", places["tcp6"]), ("2001:db8::1", 80)):
    attempt(f"connect {host}", lambda: socket.create_connection((host, port), 2))
"""),
    Attack("UDP", """
for family, host, port in ((socket.AF_INET, "127.0.0.1", places["udp"]), (socket.AF_INET, "192.0.2.1", 53),
                           (socket.AF_INET6, "2001:db8::1", 53)):
    show(f"send {host}", lambda: socket.socket(family, socket.SOCK_DGRAM).sendto(b"x", (host, port)))
attempt("broadcast", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("255.255.255.255", 9)))
"""),
    Attack("unix socket, also like docker.sock", """
def connect(path):
    end = socket.socket(socket.AF_UNIX)
    end.connect(path)
for path in [places["unix"], "/proc/1/root" + places["unix"], "/var/run/docker.sock", "/run/docker.sock", "/run/systemd/private"]:
    attempt(path, lambda: connect(path))
"""),
    Attack("abstract socket", """
def connect(kind):
    end = socket.socket(socket.AF_UNIX, kind)
    end.connect("\\0" + places["abstract"])
attempt("stream", lambda: connect(socket.SOCK_STREAM))
"""),
    Attack("netlink", """
def interfaces():
    end = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    end.settimeout(2)
    end.sendto(struct.pack("=IHHII", 17, 18, 0x301, 1, 0) + b"\\0", (0, 0))  # RTM_GETLINK, dump
    return end.recv(65536)
try:
    names = [name for _, name in socket.if_nameindex()]
    data = interfaces()
except OSError as error:
    print("held", error)
else:
    print("seen", names)
    if names != ["lo"] or data.count(b"\\x03\\x00lo\\0") != 1:
        print("THROUGH", names)
"""),
    Attack("vsock, packet, Bluetooth, kernel crypto", """
for name, family, kind in (("vsock", 40, socket.SOCK_STREAM), ("packet", 17, socket.SOCK_RAW), ("bluetooth", 31, socket.SOCK_RAW),
                           ("alg", 38, socket.SOCK_SEQPACKET), ("xdp", 44, socket.SOCK_RAW), ("raw", 2, socket.SOCK_RAW)):
    attempt(name, lambda: socket.socket(family, kind))
""", bubblewrap=NOT_COVERED, note="bubblewrap filters no families"),
]
