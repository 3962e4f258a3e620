import { sha1 } from '@noble/hashes/legacy.js';
import { concat, fromHex, toHex, utf8 } from '../ledger/bytes.ts';

/** Name-based UUID (RFC 9562, version 5). OSCAL permits no later versions. */
export function uuidOf(namespace: string, name: string): string {
  const bytes = sha1(concat(fromHex(namespace.replaceAll('-', '')), utf8(name))).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Namespace of Sightline's names, within the URL namespace. */
export const sightlineNamespace = uuidOf('6ba7b811-9dad-11d1-80b4-00c04fd430c8', 'https://sightline.dev/bundle');
