import type { ClipboardKind } from '@sightline/contract/timeline/identifiers.ts';

/** Guesses the kind of a copied text from its form. Only the kind leaves the machine. */
export function clipboardKindOf(text: string): ClipboardKind {
  // The beginning is sufficient, and copies can be megabytes long.
  const start = text.slice(0, SAMPLE_LENGTH).trim();
  if (start === '') return 'empty';
  if (isSecretLike(start)) return 'secret-like';
  if (/^[+-]?[\d\s.,_]*\d[\d\s.,_]*%?$/.test(start)) return 'number';
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(start)) return 'url';
  if (/^(?:~|\.{1,2}|[a-z]:)?[\\/](?:[^\\/\n]+[\\/])*[^\\/\n]*$/i.test(start)) return 'path';
  if (/^(?:[\w@.-]+\/)+[\w@.-]+\.\w{1,8}(?::\d+)*$/.test(start)) return 'path';
  return looksLikeCode(start) ? 'code' : 'text';
}

const SAMPLE_LENGTH = 4000;

const secrets = [
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|sk-|sk_live_|rk_live_|npm_|pypi-|hf_|dop_v1_|AIza|ya29\.)[\w-]{16,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?/,
  /(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|authorization)\b["']?\s*[:=]\s*\S{6,}/i,
  /\bbearer\s+[\w.~+/-]{16,}/i,
  /:\/\/[^\s/:@]+:[^\s/@]+@/,
];

function isSecretLike(text: string): boolean {
  return secrets.some((secret) => secret.test(text)) || looksRandom(text);
}

/** One long word of mixed letters and digits, such as a key, but not a URL, a path or a git hash. */
function looksRandom(text: string): boolean {
  if (!/^[\w+/=.~-]{20,}$/.test(text) || /^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(text)) return false;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) || /^[\w.-]*\/[\w./-]*\.\w+$/.test(text))
    return false;
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /[A-Za-z]/.test(text) && /\d/.test(text) && changes >= text.length / 6;
}

function looksLikeCode(text: string): boolean {
  if (
    /[{};]\s*(?:\n|$)|=>|\b(?:function|const|let|return|import|def|class|public|SELECT|func|#include)\b.*[({:;=*"']/.test(
      text,
    )
  )
    return true;
  if (/^\s*(?:<\/?[a-z][^>]*>|[$#] ?\w+ )/im.test(text) || /^[\w$.]+\([^\n]*\);?$/.test(text)) return true;
  const marks = text.match(/[{}()[\];=<>|&$*]/g)?.length ?? 0;
  return marks / text.length > 0.08;
}
