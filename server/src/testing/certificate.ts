import { execFileSync } from 'node:child_process';

export interface Certificate {
  cert: string;
  key: string;
}

/** Creates a self-signed certificate for 127.0.0.1, or for other names, with openssl. */
export function createCertificate(names = 'IP:127.0.0.1'): Certificate {
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  const subject = ['-subj', '/CN=Test receiver', '-addext', `subjectAltName=${names}`];
  const pem = execFileSync('openssl', ['req', '-x509', ...options, '-keyout', '-', ...subject], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const part = (label: string) =>
    new RegExp(`-----BEGIN ${label}-----[^]+?-----END ${label}-----\n`).exec(pem)?.[0] ?? '';
  return { cert: part('CERTIFICATE'), key: part('PRIVATE KEY') };
}
