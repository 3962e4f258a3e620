import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SigningKey } from '@sightline/sandbox/saml/certificate.ts';
import { freePort } from '#testing/free-port.ts';

/** Where the package of Debian installs SimpleSAMLphp (LGPL-2.1). */
const site = '/usr/share/simplesamlphp/www';
const php = '/usr/bin/php';
export const isSimpleSamlPhpAbsent = !existsSync(site) || !existsSync(php);

export interface SimpleSamlPhp {
  url: string;
  /** The XML of this identity provider. */
  metadata: () => Promise<string>;
  /** Registers a service, which must sign its requests with a certificate (PEM) and gets signed assertions. */
  register: (service: { entityId: string; callbackUrl: string; certificate: string }) => Promise<void>;
  stop: () => Promise<void>;
}

/** A user with the password `secret`. */
export const simpleSamlUser = { name: 'mia', id: 'mia-1', groups: ['Staff', 'Security'] };

/** Starts SimpleSAMLphp as identity provider with one user, whose address is `email`. */
export async function startSimpleSamlPhp(key: SigningKey, email: string): Promise<SimpleSamlPhp> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesamlphp-'));
  const [config, metadata, cert] = ['config', 'metadata', 'cert'].map((name) => join(folder, name));
  if (config === undefined || metadata === undefined || cert === undefined) throw new Error('no folders');
  await Promise.all([config, metadata, cert].map((path) => mkdir(path)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const write = (path: string, code: string) => writeFile(path, `<?php\n${code}\n`);
  await Promise.all([
    writeFile(join(cert, 'idp.pem'), key.privateKey),
    writeFile(join(cert, 'idp.crt'), key.certificate),
    write(join(config, 'config.php'), configCode({ url, folder, metadata, cert })),
    write(
      join(config, 'authsources.php'),
      `$config = ['users' => ['exampleauth:UserPass', ${text(`${simpleSamlUser.name}:secret`)} => ['uid' => [${text(simpleSamlUser.id)}],
        'mail' => [${text(email)}], 'displayName' => ['Mia Corp'], 'groups' => [${simpleSamlUser.groups.map(text).join(',')}]]]];`,
    ),
    write(
      join(metadata, 'saml20-idp-hosted.php'),
      `$metadata[${text(`${url}/idp`)}] = ['host' => '__DEFAULT__', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt',
        'auth' => 'users'];`,
    ),
    write(join(metadata, 'saml20-sp-remote.php'), ''),
  ]);
  // Its own server is enough for one browser.
  const child = spawn(php, ['-S', `127.0.0.1:${port}`, '-t', site], {
    env: { PATH: process.env.PATH, SIMPLESAMLPHP_CONFIG_DIR: config },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await started(child);
  return {
    url,
    metadata: async () => (await fetch(`${url}/saml2/idp/metadata.php`)).text(),
    register: ({ entityId, callbackUrl, certificate }) =>
      write(
        join(metadata, 'saml20-sp-remote.php'),
        `$metadata[${text(entityId)}] = ['AssertionConsumerService' => ${text(callbackUrl)}, 'validate.authnrequest' => true,
          'certData' => ${text(certificate.replace(/-----[A-Z ]+-----|\s/g, ''))}, 'saml20.sign.assertion' => true,
          'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'simplesaml.nameidattribute' => 'uid'];`,
      ),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A string of PHP. */
const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

const configCode = ({ url, folder, metadata, cert }: Record<'url' | 'folder' | 'metadata' | 'cert', string>): string =>
  `$config = ['baseurlpath' => ${text(`${url}/`)}, 'certdir' => ${text(`${cert}/`)}, 'metadatadir' => ${text(metadata)},
  'loggingdir' => ${text(folder)}, 'datadir' => ${text(folder)}, 'tempdir' => ${text(folder)},
  'metadata.sources' => [['type' => 'flatfile', 'directory' => ${text(metadata)}]],
  'secretsalt' => 'a salt for tests', 'auth.adminpassword' => 'unused', 'technicalcontact_email' => 'na@example.org',
  'timezone' => 'UTC', 'logging.handler' => 'errorlog', 'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true], 'session.cookie.secure' => false,
  'session.phpsession.savepath' => ${text(folder)}, 'session.phpsession.cookiename' => 'ssp', 'store.type' => 'phpsession',
  'language.default' => 'en', 'trusted.url.domains' => [], 'showerrors' => true];`;

/** Resolves when the server of PHP listens. Throws if it ends before. */
const started = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('started')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`PHP ended with ${code}: ${output}`)));
  });
