/**
 * A POST whose answer may take as long as its signal allows. Danger: the built-in `fetch` gives up after five minutes without an
 * answer, whatever signal it is given, and a caller that gave up would take work that goes on for work that failed.
 */
import { type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';

export interface PatientRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Follows no redirect, so the headers go nowhere else. @throws the signal's reason, or what the connection failed with */
export async function patientPost(url: URL, { headers, body, signal }: PatientRequest): Promise<Response> {
  const send = url.protocol === 'https:' ? requestTls : request;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, { method: 'POST', headers, signal, agent: false });
      sent.once('response', resolve).once('error', reject).end(body);
    });
    return new Response(await text(answer), { status: answer.statusCode ?? 0 });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
