/**
 * The command lines that scripts are run by. Danger: they are made of constants, the script's own path and the
 * vault's; whatever else stood in one could be chosen by a caller.
 */
import { isWithin, realPlace } from '@vault-mcp/shared/vault/real-place';
import { KNOWN_WALL, WARDEN, type WardenOrder } from './warden.ts';

export interface ScriptCommand {
  readonly language: 'python' | 'node';
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** The vault's folder: where it runs, and what it may read. */
  readonly vault: string;
  readonly timeZone: string;
  /** Folders of the system that it may read besides. */
  readonly system: readonly string[];
  /** Whether what it may read holds something it should not. */
  readonly exposed: boolean;
  /** The newest version of the wall to put up, if not every one that is known: what an older kernel does. */
  readonly wall?: number;
}

/** What programs need to start, and to find what belongs to them. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];
/**
 * What they look up when they start, piece by piece, since keys stand beside it: of the loader, of names and zones, of
 * certificates. Nothing below home folders, `/opt`, `/var`, `/run` or `/tmp`. What Python has in `/etc` its warden knows.
 */
const LOOKED_UP = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'ld.so.preload', 'ld-musl-x86_64.path', 'ld-musl-aarch64.path'],
  ...['localtime', 'timezone', 'passwd', 'group', 'hosts', 'resolv.conf', 'nsswitch.conf'],
  ...['ssl/certs', 'ssl/cert.pem', 'ssl/openssl.cnf'],
].map((name) => `/etc/${name}`);
/** Where some systems keep programs. */
const MORE = ['/nix/store'];

const PYTHON_MEMORY = 2 * 1024 ** 3;
const NODE_HEAP_MIB = 512;

/**
 * What scripts may read so that they see none of the private paths, wherever links lead.
 * @param vault absolute
 * @param secrets absolute paths of files and folders
 */
export async function readableFolders(
  vault: string,
  secrets: readonly string[],
): Promise<Pick<ScriptCommand, 'system' | 'exposed'>> {
  const hidden = await Promise.all(secrets.map(realPlace));
  const holding = async (places: readonly string[]) => {
    const real = await Promise.all(places.map(realPlace));
    return places.filter((_place, at) => hidden.some((secret) => isWithin(real[at] ?? '', secret)));
  };
  const [spared, kept] = [
    [...LOOKED_UP, ...MORE],
    [...PROGRAMS, vault],
  ];
  const closed = await holding(spared);
  return {
    system: [...PROGRAMS, ...spared.filter((place) => !closed.includes(place))],
    exposed: (await holding(kept)).length > 0,
  };
}

/** Made anew for each script: nothing of ours, no key above all. */
export const bareEnvironment = (timeZone: string) => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/opt/local/bin',
  ...{ LANG: 'C.UTF-8', HOME: '/nonexistent', TZ: timeZone },
  // A script leaves nothing beside itself.
  PYTHONDONTWRITEBYTECODE: '1',
});

/** The interpreter's own command line. */
export function scriptLine({ language, file, args, vault }: ScriptCommand): string[] {
  if (language === 'python') return ['python3', '-s', '-X', 'utf8', file, ...args];
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? ['--permission']
    : ['--experimental-permission', '--disable-warning=ExperimentalWarning'];
  // A wall of node's own, on every system, though not a whole one: it writes nothing, starts nothing, and reads the vault
  // and where links in it lead.
  const wall = [...permission, `--allow-fs-read=${vault}/*`];
  return [process.execPath, `--max-old-space-size=${NODE_HEAP_MIB}`, ...wall, file, ...args];
}

/** The same with the warden around it. */
export function wardenLine(command: ScriptCommand): string[] {
  const { language, vault, system, wall = KNOWN_WALL } = command;
  const order: WardenOrder = {
    read: [...system, vault, ...(language === 'node' ? [process.execPath] : [])],
    parent: process.pid,
    memory: language === 'python' ? PYTHON_MEMORY : null,
    wall,
  };
  return [...WARDEN_LINE, JSON.stringify(order), ...scriptLine(command)];
}

/** Runs nothing, and prints which wall could be put up. */
export function wallLine(): string[] {
  const order: WardenOrder = { read: [], parent: process.pid, memory: null, wall: KNOWN_WALL };
  return [...WARDEN_LINE, JSON.stringify(order)];
}

const WARDEN_LINE = ['python3', '-I', '-S', '-c', WARDEN];
