import { generateKeyPairSync, randomUUID } from 'node:crypto';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The settings of a GitHub app without a GitHub: sufficient for calls that do not leave the server. */
export const githubEnvironment = {
  GITHUB_URL: 'http://127.0.0.1:1',
  GITHUB_APP_ID: '77',
  GITHUB_APP_SLUG: 'sightline-seed',
  GITHUB_APP_PRIVATE_KEY: privateKey,
  GITHUB_APP_CLIENT_ID: 'Iv1.seed',
  GITHUB_APP_CLIENT_SECRET: randomUUID(),
  GITHUB_WEBHOOK_SECRET: randomUUID(),
};
