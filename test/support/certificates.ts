/**
 * Certificates for tests, made by openssl: an authority of its own and a server's certificate that it signed, which nobody
 * trusts unless told to. Danger: keys are written without a passphrase, so they live only as long as their folder.
 */
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const hasOpenssl = spawnSync('openssl', ['version'], { timeout: 20_000 }).status === 0;

/** Paths of PEM files. */
export interface ServerCertificate {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * @param folder where the files go
 * @param names as a certificate lists them: `DNS:localhost,IP:127.0.0.1`
 */
export async function makeCertificates(folder: string, names: string): Promise<ServerCertificate> {
  const file = (name: string) => join(folder, `${name}.pem`);
  const [authority, authorityKey] = [file('authority'), file('authority-key')];
  const [certificate, key, request, extensions] = [file('server'), file('server-key'), file('request'), file('names')];
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args);
  const self = ['-x509', '-days', '2', '-subj', '/CN=An authority of the tests'];
  await openssl('req', ...CURVE, ...self, '-keyout', authorityKey, '-out', authority);
  await openssl('req', ...CURVE, '-subj', '/CN=A server of the tests', '-keyout', key, '-out', request);
  await writeFile(extensions, `subjectAltName=${names}\n`);
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-days', '2', '-extfile', extensions];
  await openssl('x509', '-req', '-in', request, ...signed, '-out', certificate);
  return { authority, certificate, key };
}
