/**
 * The program that stands between us and a vault's script: it starts the script behind a wall (Landlock: it reads the
 * folders it is given, writes nowhere, signals nobody outside), waits for it, and ends whatever the script left running,
 * in whatever session that hides. In Python because only there the system's own calls are at hand without compiling
 * anything. Danger: it runs a stranger's program; everything here must hold also where the kernel knows no Landlock, and
 * then it says so.
 */

/** Where it reports to: one line of JSON, after the script has ended. The script does not have it. */
export const REPORT_FD = 3;

/** What it is told, as its first argument; the command follows. Without one it prints the version of the wall. */
export interface WardenOrder {
  /** Absolute paths that may be read, with what is below. Those that are not there are passed over. */
  readonly read: readonly string[];
  /** Who it works for: when that process is gone, nobody waits for the script. */
  readonly parent: number;
  /** Address space of the script in bytes; null: no limit. */
  readonly memory: number | null;
}

export interface WardenReport {
  /** Version of the kernel's Landlock that holds the script; 0: there is no wall. */
  readonly landlock: number;
  /** How the script ended: one of the two. */
  readonly exit: number | null;
  readonly signal: number | null;
}

/** From this version on the wall keeps a script from emptying a file, too (Linux 6.2). */
export const WHOLE_WALL = 3;

/*
 * Numbers are the kernel's, the same on every processor: system calls 444 to 446, prctl 1 (signal when the parent ends),
 * 36 (orphans below come to us), 38 (no new privileges). Rights, by bit: 0 execute, 1 write, 2 read a file, 3 read a
 * folder, 4 to 12 remove and make, 13 link elsewhere (version 2), 14 truncate (version 3).
 */
export const WARDEN = `
import ctypes, json, os, resource, signal, struct, sys

order = json.loads(sys.argv[1])
command = sys.argv[2:]
linux = sys.platform == "linux"
libc = ctypes.CDLL(None, use_errno=True) if linux else None

def call(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *arguments)

def prctl(option, value):
    libc.prctl(ctypes.c_int(option), *(ctypes.c_ulong(each) for each in (value, 0, 0, 0)))

def wall_version():
    return max(0, call(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))) if linux else 0

def raise_wall(version):
    files = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    scoped = 3 if version >= 6 else 0
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = call(444, struct.pack("=QQQ", files, 0, scoped), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if rules < 0:
        raise OSError(ctypes.get_errno(), "no wall could be raised")
    own = [sys.prefix, sys.base_prefix, "/etc/python3", "/etc/python%d.%d" % sys.version_info[:2]]
    allow = [(path, 0b1101) for path in order["read"] + own + ["/dev/urandom", "/dev/random", "/dev/zero"] if path != "/"]
    for path, rights in allow + [("/dev/null", 0b110 | files & 1 << 14)]:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            rights &= ~0b1000
        if call(445, rules, ctypes.c_int(1), struct.pack("=Qi", rights, place), ctypes.c_uint32(0)) < 0:
            raise OSError(ctypes.get_errno(), "the wall could not be opened for " + path)
        os.close(place)
    prctl(38, 1)
    if call(446, rules, ctypes.c_uint32(0)) < 0:
        raise OSError(ctypes.get_errno(), "no wall could be raised")

def become_script(version):
    os.setpgid(0, 0)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if order["memory"] is not None and linux:
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    if linux:
        try:
            with open("/proc/self/oom_score_adj", "w") as score:
                score.write("1000")
        except OSError:
            pass
    if version > 0:
        raise_wall(version)
    os.execvp(command[0], command)

def keep_three():
    os.set_inheritable(${REPORT_FD}, False)
    try:
        open_now = [int(each) for each in os.listdir("/proc/self/fd")]
    except OSError:
        open_now = range(4096)
    for each in open_now:
        if each > ${REPORT_FD}:
            try:
                os.close(each)
            except OSError:
                pass

def children():
    found = []
    for entry in os.listdir("/proc") if linux and os.path.isdir("/proc/self") else []:
        if entry.isdigit():
            try:
                with open("/proc/" + entry + "/stat", "rb") as stat:
                    fields = stat.read().rsplit(b")", 1)[1].split()
            except (OSError, IndexError):
                continue
            if int(fields[1]) == os.getpid():
                found.append(int(entry))
    return found

def end_all(script):
    while True:
        for send, target in [(os.killpg, script)] + [(os.kill, pid) for pid in children()]:
            try:
                send(target, signal.SIGKILL)
            except OSError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return

class Ended(BaseException):
    pass

def on_end(number, frame):
    raise Ended()

if not command:
    print(wall_version())
    sys.exit(0)
if linux:
    prctl(36, 1)
    prctl(1, signal.SIGTERM)
signal.signal(signal.SIGTERM, on_end)
version = wall_version()
script = 0
status = None
try:
    if os.getppid() != order["parent"]:
        os._exit(0)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    script = os.fork()
    if script == 0:
        try:
            keep_three()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
            become_script(version)
        except BaseException as error:
            os.write(2, ("could not start: " + str(error) + "\\n").encode())
        os._exit(127)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == script:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            break
        status = None
except Ended:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    status = None
if script > 0:
    end_all(script)
if status is not None:
    ended = {"exit": os.WEXITSTATUS(status), "signal": None} if os.WIFEXITED(status) else {"exit": None, "signal": os.WTERMSIG(status)}
    os.write(${REPORT_FD}, (json.dumps({"landlock": version, **ended}) + "\\n").encode())
os._exit(0)
`;
