import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { Refusal } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';

export interface TlsEndpoint {
  host: string;
  port: number;
  /** The trusted certificates as PEM; empty for the default roots of Node.js. */
  certificates: string;
}

/** Thrown if the peer may not have received all bytes. */
export class TlsFailed extends Error {
  override name = 'TlsFailed';
  readonly reason: 'address_refused' | 'unreachable' | 'timed_out' | 'certificate_invalid' | 'connection_closed';
  constructor(reason: TlsFailed['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const timeout = 30_000;

/**
 * Sends bytes to an endpoint that an owner entered, over a new TLS connection to the verified address. Resolves after
 * the peer closed the connection, because it does so after reading everything. Throws `TlsFailed` otherwise.
 */
export async function sendOverTls(
  outbound: Outbound,
  field: string,
  { host, port, certificates }: TlsEndpoint,
  bytes: Buffer,
): Promise<void> {
  const named = host.includes(':') ? `[${host}]` : host;
  const { address } = await outbound.checkDirect(field, `https://${named}:${port}`).catch((error: unknown) => {
    if (error instanceof Refusal) throw new TlsFailed('address_refused', error);
    throw error;
  });
  const socket = connect({
    host: address,
    port,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(certificates !== '' && { ca: certificates }),
  });
  try {
    await sendAll(socket, bytes);
  } finally {
    socket.destroy();
  }
}

const sendAll = (socket: TLSSocket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    let isSecure = false;
    const timer = setTimeout(() => reject(new TlsFailed('timed_out')), timeout);
    const fail = (error?: NodeJS.ErrnoException) => reject(new TlsFailed(reasonOf(isSecure, error), error));
    socket.once('secureConnect', () => {
      isSecure = true;
      socket.end(bytes);
    });
    // Discards received data, so that the end of the connection is detected.
    socket.resume();
    socket.on('error', fail);
    socket.once('close', (hadError) => {
      clearTimeout(timer);
      if (isSecure && !hadError) resolve();
      else fail();
    });
  });

function reasonOf(isSecure: boolean, error: NodeJS.ErrnoException | undefined): TlsFailed['reason'] {
  if (isSecure) return 'connection_closed';
  if (error?.code === 'ETIMEDOUT') return 'timed_out';
  return /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME/.test(error?.code ?? '') ? 'certificate_invalid' : 'unreachable';
}
