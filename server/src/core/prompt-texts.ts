import { hmacSha256 } from './hmac.ts';
import { decrypt, encrypt } from './secrets.ts';

/** The row of a prompt, which its text is bound to. */
export interface PromptRow {
  orgId: string;
  sessionId: string;
  digest: Buffer;
}

/**
 * Encrypts the text of a prompt under the key of its person, so that it cannot be read after an erasure, nor in a
 * backup without the master key.
 */
export const sealPromptText = (personKey: Buffer, row: PromptRow, text: string): Buffer =>
  encrypt(keyOf(personKey), rowBytes(row), Buffer.from(text, 'utf8'));

/** Throws for another key or row. */
export const openPromptText = (personKey: Buffer, row: PromptRow, sealed: Buffer): string =>
  decrypt(keyOf(personKey), rowBytes(row), sealed).toString('utf8');

const keyOf = (personKey: Buffer): Buffer => hmacSha256(personKey, 'prompt text');

const rowBytes = ({ orgId, sessionId, digest }: PromptRow): Buffer =>
  Buffer.from(`agent_prompt ${orgId} ${sessionId} ${digest.toString('hex')}`);
