/**
 * HTTP as bytes: the request line goes out as it was written, where `fetch` would fold dots and encode what it finds odd.
 * One connection, one request after the other. Danger: it understands just as much of HTTP as this server answers with.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawConnection {
  /**
   * @param target whatever is to stand between method and version, byte for byte (latin1)
   * @throws Error when the connection ends without an answer
   */
  request(
    method: string,
    target: string,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<RawAnswer>;
  close(): void;
}

/** @param headers sent with each request; a Host stands first unless one is given */
export function rawConnection(url: string, headers: Readonly<Record<string, string>>): RawConnection {
  const { hostname, port, host } = new URL(url);
  let socket: Socket | undefined;
  return {
    async request(method, target, { headers: own = {}, body = '' } = {}) {
      if (socket === undefined || socket.destroyed) {
        socket = connect(Number(port), hostname).setNoDelay(true);
        await once(socket, 'connect');
      }
      const all = { host, ...headers, ...own, 'content-length': String(Buffer.byteLength(body)) };
      const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      const answered = readAnswer(socket);
      socket.write(Buffer.from(`${[`${method} ${target} HTTP/1.1`, ...head].join('\r\n')}\r\n\r\n`, 'latin1'));
      if (body !== '') socket.write(body);
      const answer = await answered;
      if (answer.headers.connection === 'close') socket.destroy();
      return answer;
    },
    close: () => void socket?.destroy(),
  };
}

function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const look = (ended: boolean): void => {
      const answer = parse(bytes, ended);
      if (answer === null && !ended) return;
      socket.off('data', onData).off('close', onEnd).off('error', onEnd);
      if (answer !== null) resolve(answer);
      else reject(new Error(`the connection ended in the middle of an answer: ${bytes.toString('latin1', 0, 200)}`));
    };
    const onData = (part: Buffer): void => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
      look(false);
    };
    const onEnd = (): void => look(true);
    socket.on('data', onData).on('close', onEnd).on('error', onEnd);
  });
}

/** @returns null while something is missing */
function parse(bytes: Buffer, ended: boolean): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const pairs = lines.map(
    (line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')] as const,
  );
  const headers = Object.fromEntries(pairs);
  const rest = bytes.subarray(end + 4);
  const body = bodyOf(rest, headers, ended);
  return body === null ? null : { status: Number(first.split(' ')[1]), headers, body: body.toString('utf8') };
}

function bodyOf(rest: Buffer, headers: Readonly<Record<string, string>>, ended: boolean): Buffer | null {
  if (headers['transfer-encoding'] === 'chunked') return unchunked(rest);
  const length = headers['content-length'];
  if (length === undefined) return ended ? rest : null;
  return rest.length < Number(length) ? null : rest.subarray(0, Number(length));
}

function unchunked(rest: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const length = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (rest.length < from + length + 2) return null;
    if (length === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(from, from + length));
    at = from + length + 2;
  }
}
