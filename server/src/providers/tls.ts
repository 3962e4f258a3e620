import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { Refusal } from '#core/errors.ts';
import type { Outbound } from '#core/outbound.ts';

export interface TlsEndpoint {
  host: string;
  port: number;
  /** Certificates in PEM that the peer's one is checked with; empty for those that Node.js trusts. */
  certificates: string;
}

/** Why a peer did not receive everything. */
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
 * Sends bytes to an endpoint that an owner entered, over a TLS connection of its own to the verified address only.
 * Resolves once the peer has closed its side too, which it does after it read everything; throws `TlsFailed` otherwise.
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
    // Whatever the peer says is not for us; it is read so that its end is noticed.
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
