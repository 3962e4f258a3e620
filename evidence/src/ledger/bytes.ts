import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** Bytes are `Uint8Array`, so that the same code runs on the server, on the command line and in browsers. */
export type Bytes = Uint8Array;

const writer = new TextEncoder();
const reader = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Bytes => writer.encode(text);

/** Throws for invalid UTF-8. */
export const textOf = (bytes: Bytes): string => reader.decode(bytes);

export const toHex = (bytes: Bytes): string => bytesToHex(bytes);
export const fromHex = (hex: string): Bytes => hexToBytes(hex);

export function toBase64(bytes: Bytes): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += piece) {
    binary += String.fromCharCode(...bytes.subarray(start, start + piece));
  }
  return btoa(binary);
}

// Some engines limit the number of arguments of one call.
const piece = 0x2000;

/** Throws for non-canonical base64, since one proof must not have two encodings. */
export function fromBase64(text: string): Bytes {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new Error('Not base64');
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new Error('Not canonical base64');
  return bytes;
}

export const toBase64url = (bytes: Bytes): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** As strict as `fromBase64`. */
export function fromBase64url(text: string): Bytes {
  if (/[+/=]/.test(text)) throw new Error('Not base64url');
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  return fromBase64(`${text.replaceAll('-', '+').replaceAll('_', '/')}${padding}`);
}

export function concat(...parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** For public values only, since the comparison time depends on the content. */
export const equalBytes = (one: Bytes, other: Bytes): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
