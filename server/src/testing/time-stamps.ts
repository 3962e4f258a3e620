import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface TimestampAnswer {
  status: number;
  body: Buffer;
}

/** A time-stamping authority (RFC 3161) with `openssl ts` behind HTTP. */
export interface TimeStampingAuthority {
  url: string;
  /** The trusted certificate, as PEM. */
  root: string;
  /** Replaces the response; undefined restores the correct one. */
  setResponse: (how: (() => TimestampAnswer) | undefined) => void;
  /** Signs the same content with a certificate of the same root that is not for timestamps. */
  signWithWrongPurpose: (content: Buffer) => Promise<Buffer>;
  /** The result of `openssl ts -verify`. */
  verifies: (der: Buffer, data: Buffer) => Promise<boolean>;
  close: () => Promise<void>;
}

export async function startTimeStampingAuthority(kind: 'rsa' | 'ec'): Promise<TimeStampingAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-tsa-'));
  const at = (name: string) => join(folder, name);
  await makeKeys(at, kind);
  let how: (() => TimestampAnswer) | undefined;
  let number = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    number += 1;
    const { status, body } = how?.() ?? { status: 200, body: await stampOf(at, Buffer.concat(chunks), number) };
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    root: await readFile(at('root.pem'), 'utf8'),
    setResponse: (next) => {
      how = next;
    },
    async signWithWrongPurpose(content) {
      await writeFile(at('said'), content);
      const type = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-binary', '-nodetach', '-outform', 'DER'];
      const signer = ['-signer', at('other.pem'), '-inkey', at('other.key'), '-md', 'sha256'];
      await run('openssl', ['cms', '-sign', ...type, ...signer, '-in', at('said'), '-out', at('said.der')]);
      // The status "granted" with the granted token.
      const granted = Buffer.concat([Buffer.from('3003020100', 'hex'), await readFile(at('said.der'))]);
      const length = Buffer.from([0x30, 0x82, granted.length >> 8, granted.length & 0xff]);
      return Buffer.concat([length, granted]);
    },
    async verifies(der, data) {
      await writeFile(at('check.tsr'), der);
      await writeFile(at('check.data'), data);
      return run('openssl', [
        ...'ts -verify'.split(' '),
        '-data',
        at('check.data'),
        '-in',
        at('check.tsr'),
        '-CAfile',
        at('root.pem'),
      ]).then(
        () => true,
        () => false,
      );
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

type At = (name: string) => string;

async function makeKeys(at: At, kind: 'rsa' | 'ec'): Promise<void> {
  const key = kind === 'rsa' ? ['-newkey', 'rsa:2048'] : ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const openssl = (args: readonly string[]) => run('openssl', args);
  await writeFile(
    at('openssl.cnf'),
    [
      '[tsa]',
      `serial = ${at('serial')}`,
      ...['signer_digest = sha256', 'default_policy = 1.2.3.4.1', 'digests = sha256', 'accuracy = secs:1'],
      ...[
        'ess_cert_id_alg = sha256',
        '[tsa_ext]',
        'extendedKeyUsage = critical,timeStamping',
        'keyUsage = digitalSignature',
      ],
      '',
    ].join('\n'),
  );
  await writeFile(at('serial'), '01\n');
  const root = ['req', '-x509', ...key, '-nodes', '-days', '30', '-subj', '/CN=Test Root', '-keyout', at('root.key')];
  await openssl([...root, '-out', at('root.pem'), '-addext', 'keyUsage=critical,keyCertSign,cRLSign']);
  await openssl([
    'req',
    ...key,
    '-nodes',
    '-subj',
    '/CN=Test Time Stamps',
    '-keyout',
    at('tsa.key'),
    '-out',
    at('tsa.csr'),
  ]);
  const other = ['req', ...key, '-nodes', '-subj', '/CN=Other', '-keyout', at('other.key'), '-out', at('other.csr')];
  await openssl(other);
  const plain = [
    'x509',
    '-req',
    '-in',
    at('other.csr'),
    '-CA',
    at('root.pem'),
    '-CAkey',
    at('root.key'),
    '-days',
    '30',
  ];
  await openssl([...plain, '-out', at('other.pem')]);
  const signed = ['x509', '-req', '-in', at('tsa.csr'), '-CA', at('root.pem'), '-CAkey', at('root.key'), '-days', '30'];
  await openssl([...signed, '-extfile', at('openssl.cnf'), '-extensions', 'tsa_ext', '-out', at('tsa.pem')]);
}

async function stampOf(at: At, query: Buffer, number: number): Promise<Buffer> {
  const [queryFile, replyFile] = [at(`${number}.tsq`), at(`${number}.tsr`)];
  await writeFile(queryFile, query);
  const keys = ['-signer', at('tsa.pem'), '-inkey', at('tsa.key'), '-chain', at('root.pem')];
  const args = ['ts', '-reply', '-config', at('openssl.cnf'), '-section', 'tsa', '-queryfile', queryFile, ...keys];
  await run('openssl', [...args, '-out', replyFile]);
  return readFile(replyFile);
}
