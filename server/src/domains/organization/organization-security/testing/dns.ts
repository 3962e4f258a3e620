import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A DNS server with TXT records only. */
export interface TestDns {
  /** For `DNS_SERVERS`. */
  address: string;
  records: Map<string, string[]>;
  close: () => void;
}

/** Starts a DNS server over UDP according to RFC 1035; a name without a record does not exist. */
export async function startDns(): Promise<TestDns> {
  const records = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, records, close: () => socket.close() };
}

function answerTo(query: Buffer, records: ReadonlyMap<string, string[]>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const texts = records.get(labels.join('.').toLowerCase()) ?? [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // Response flags with recursion available: NOERROR with records, otherwise NXDOMAIN.
  header.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(texts.length, 6);
  const answers = texts.map((text) => {
    const data = Buffer.from(text);
    // The name of the question, TXT, IN, and a TTL of one minute.
    const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, data.length + 1, data.length]);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question, ...answers]);
}
