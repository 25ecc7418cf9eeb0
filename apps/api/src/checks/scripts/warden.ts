/**
 * The program that stands between us and a vault's script: it starts the script behind a wall (Landlock: it reads the
 * folders it is given, writes nowhere, changes no mode or time, has no TCP, signals nobody outside), waits for it, and ends
 * whatever the script left running, in whatever session that hides. In Python because only there the system's own calls are at hand without
 * compiling anything. Danger: it runs a stranger's program; everything here must hold also where the kernel knows no
 * Landlock, and then it says so.
 */
import { METADATA_FILTER } from './metadata-filter.ts';

/**
 * Where it reports to, in lines of JSON: a WardenStart as soon as there is a script, a WardenEnd after that has ended by
 * itself. The script does not have it.
 */
export const REPORT_FD = 3;

/** What it is told, as its first argument; the command follows. Without one it prints the version of the wall. */
export interface WardenOrder {
  /** Absolute paths that may be read, with what is below. Those that are not there are passed over. */
  readonly read: readonly string[];
  /** Who it works for: when that process is gone, nobody waits for the script. */
  readonly parent: number;
  /** Address space of the script in bytes; null: no limit. */
  readonly memory: number | null;
  /** The newest version of the wall to put up. */
  readonly wall: number;
}

export interface WardenStart {
  /** The script's process, which leads a group of its own. */
  readonly script: number;
  /** Version of the kernel's Landlock that holds the script; 0: there is no wall. */
  readonly landlock: number;
}

/** How the script ended: one of the two. */
export interface WardenEnd {
  readonly exit: number | null;
  readonly signal: number | null;
}

/** From this version on the wall keeps a script from emptying a file, too (Linux 6.2). */
export const WHOLE_WALL = 3;

/** The newest version whose rights are all named here; with it a script signals nobody outside (Linux 6.12). */
export const KNOWN_WALL = 6;

/**
 * Processes and threads that a script may have at once, for all it starts. The kernel counts those of a user, so this is
 * beyond what that user has when the script starts; whoever is root it does not hold to any number.
 */
const MOST_TASKS = 64;
/** So exactly is it found out how many those are, since each step takes a fork. */
const TASKS_STEP = 16;

/*
 * Numbers are the kernel's, the same on every processor: system calls 444 to 446, prctl 1 (signal when the parent ends), 21 and 22
 * (seccomp),
 * 36 (orphans below come to us), 38 (no new privileges). Rights, by bit: 0 execute, 1 write, 2 read a file, 3 read a
 * folder, 4 to 12 remove and make, 13 link elsewhere (version 2), 14 truncate (version 3). Of TCP: 0 bind, 1 connect
 * (version 4), which nothing is exempt from. Of what is outside: 0 abstract sockets, 1 signals (version 6).
 */
export const WARDEN = `
import ctypes, json, os, resource, signal, struct, sys, time

order = json.loads(sys.argv[1])
command = sys.argv[2:]
linux = sys.platform == "linux"
libc = ctypes.CDLL(None, use_errno=True) if linux else None

def call(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *arguments)

def prctl(option, value):
    return libc.prctl(ctypes.c_int(option), *(ctypes.c_ulong(each) for each in (value, 0, 0, 0)))
${METADATA_FILTER}
def wall_version():
    if not linux or not keeps_metadata():
        return 0
    return min(max(0, call(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))), order["wall"])

def restrict_to(rules):
    prctl(38, 1)
    return call(446, rules, ctypes.c_uint32(0)) == 0

# From then on kill(-1) reaches what is below us and nobody else. Believed only where whoever we work for is out of reach.
def step_apart(version):
    if version < 6:
        return False
    rules = call(444, struct.pack("=QQQ", 0, 0, 2), ctypes.c_size_t(24), ctypes.c_uint32(0))
    if rules < 0 or not restrict_to(rules):
        return False
    os.close(rules)
    try:
        os.kill(order["parent"], 0)
    except PermissionError:
        return True
    except OSError:
        pass
    return False

def raise_wall(version):
    files = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    network = 3 if version >= 4 else 0
    scoped = 3 if version >= 6 else 0
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = call(444, struct.pack("=QQQ", files, network, scoped), ctypes.c_size_t(size), ctypes.c_uint32(0))
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
    if not restrict_to(rules):
        raise OSError(ctypes.get_errno(), "no wall could be raised")

# What others of this user have is in no list that we see all of, so it is tried at which limit one more can start.
def limit_tasks():
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    most = 1 << 22 if hard == resource.RLIM_INFINITY else hard
    def may_start(limit):
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, hard))
        try:
            pid = os.fork()
        except OSError:
            return False
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        return True
    few, enough = 1, ${MOST_TASKS}
    if may_start(few):
        enough = most
    while enough < most and not may_start(enough):
        few, enough = enough, enough * 2
    while enough < most and enough - few > ${TASKS_STEP}:
        middle = (few + enough) // 2
        few, enough = (few, middle) if may_start(middle) else (middle, enough)
    limit = min(enough + ${MOST_TASKS}, most)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit) if limit < most else (hard, hard))

def become_script(version, warden):
    os.setpgid(0, 0)
    # Without the warden nothing would end it, and where the wall does not keep it from that it can end the warden.
    if linux:
        prctl(1, signal.SIGKILL)
        if os.getppid() != warden:
            os._exit(0)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if order["memory"] is not None and linux:
        resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
    if linux:
        limit_tasks()
        try:
            with open("/proc/self/oom_score_adj", "w") as score:
                score.write("1000")
        except OSError:
            pass
    if version > 0:
        raise_wall(version)
        refuse_metadata()
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

def below():
    parents = {}
    for entry in os.listdir("/proc") if linux and os.path.isdir("/proc/self") else []:
        if entry.isdigit():
            try:
                with open("/proc/" + entry + "/stat", "rb") as stat:
                    parents[int(entry)] = int(stat.read().rsplit(b")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    known, news = set(), {os.getpid()}
    while news:
        news = {pid for pid, parent in parents.items() if parent in news}
        known |= news
    return known

def send(to, target, number):
    try:
        to(target, number)
    except OSError:
        pass

# Who is stopped starts nobody, and until it is ended it counts for the limit, as do the dead that are not waited for: so a
# script that flees from process to process comes to the end of its limit, and is found there.
def strike(script, apart):
    if apart:
        send(os.kill, -1, signal.SIGKILL)
        return
    send(os.killpg, script, signal.SIGSTOP)
    known, news = set(), below()
    for _ in range(200):
        for pid in news:
            send(os.kill, pid, signal.SIGSTOP)
        known |= news
        news = below() - known
        if not news:
            break
    send(os.killpg, script, signal.SIGKILL)
    for pid in known | news:
        send(os.kill, pid, signal.SIGKILL)

def end_all(script, apart):
    while True:
        strike(script, apart)
        try:
            while os.waitpid(-1, os.WNOHANG)[0] > 0:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)

def tell(what):
    try:
        os.write(${REPORT_FD}, (json.dumps(what) + "\\n").encode())
    except OSError:
        pass

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
apart = step_apart(version)
warden = os.getpid()
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
            become_script(version, warden)
        except BaseException as error:
            os.write(2, ("could not start: " + str(error) + "\\n").encode())
        os._exit(127)
    tell({"script": script, "landlock": version})
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
    end_all(script, apart)
if status is not None:
    ended = {"exit": os.WEXITSTATUS(status), "signal": None} if os.WIFEXITED(status) else {"exit": None, "signal": os.WTERMSIG(status)}
    tell(ended)
os._exit(0)
`;
