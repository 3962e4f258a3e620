import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import aws4 from 'aws4';

export interface S3Receiver {
  url: string;
  /** Objects by bucket and key. */
  objects: Map<string, string>;
  /** Keys in the order they were written, each time. */
  puts: string[];
  /** Stores the object and then hangs up without an answer, once. */
  hangUpOnce: () => void;
  close: () => Promise<void>;
}

export const region = 'eu-test-1';

/** Storage that checks AWS Signature Version 4 by an implementation other than ours, the hashes of the body, and the bucket. */
export async function startS3Receiver(accessKeyId: string, secretAccessKey: string): Promise<S3Receiver> {
  const objects = new Map<string, string>();
  const puts: string[] = [];
  let hangsUp = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const refuse = (status: number) => response.writeHead(status).end('<Error>what is answered stays here</Error>');
    if (!isSignedBy({ accessKeyId, secretAccessKey }, request, body)) return refuse(403);
    const path = decodeURIComponent(request.url ?? '').slice(1);
    if (!path.startsWith('audit/')) return refuse(404);
    objects.set(path, body.toString());
    puts.push(path);
    if (hangsUp) {
      hangsUp = false;
      return response.destroy();
    }
    return response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    puts,
    hangUpOnce: () => {
      hangsUp = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isSignedBy(credentials: aws4.Credentials, request: IncomingMessage, body: Buffer): boolean {
  const { headers, method = '', url = '' } = request;
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const needed = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  if (method !== 'PUT' || !needed.every((name) => signed.includes(name))) return false;
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return false;
  if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) return false;
  const wanted = aws4.sign(
    {
      service: 's3',
      region,
      method,
      path: url,
      host: headers.host ?? '',
      headers: Object.fromEntries(signed.map((name) => [name, headers[name] as string])),
    },
    credentials,
  );
  return wanted.headers?.Authorization === headers.authorization;
}
