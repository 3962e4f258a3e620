import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { scannerForms } from '@sightline/contract/sources/scanner-forms.ts';

/** The input of the scanner form. */
export interface ScannerDraft {
  tenant: string;
  apiKey: string;
  baseURL: string;
}

export type ScannerField = keyof ScannerDraft;
export type FieldErrors = Partial<Record<ScannerField, string>>;

/** Removes spaces and line breaks around a pasted key and, from emails, inside it. No key contains any. */
const cleaned = ({ tenant, apiKey, baseURL }: ScannerDraft): ScannerDraft => ({
  tenant: tenant.trim(),
  apiKey: apiKey.replaceAll(/\s+/g, ''),
  baseURL: baseURL.trim(),
});

/**
 * spec 5: the key and what the scanner requires must be given, and a base URL must be valid. `http` also allows plain
 * HTTP.
 */
export function scannerErrorsOf(
  scanner: ScannerName,
  draft: ScannerDraft,
  { http = false, isURLRequired = false } = {},
): FieldErrors {
  const form = scannerForms[scanner];
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return {
    ...(tenant === '' && form.tenant?.isRequired && { tenant: `Enter the ${form.tenant.noun}` }),
    ...(apiKey === '' && {
      apiKey: `Enter ${/^[AEIOU]/.test(form.apiKey.label) ? `an ${form.apiKey.label}` : `a ${form.apiKey.noun}`}`,
    }),
    ...(baseURL === '' && isURLRequired && { baseURL: `Enter the ${form.baseURL.label}` }),
    ...(baseURL !== '' && !isBaseURL(baseURL, http) && { baseURL: 'Start with https:// and give a host name' }),
  };
}

/** Returns the request body. Empty fields are omitted. */
export function scannerBodyOf(draft: ScannerDraft): { tenant?: string; apiKey: string; baseURL?: string } {
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return { ...(tenant !== '' && { tenant }), apiKey, ...(baseURL !== '' && { baseURL }) };
}

function isBaseURL(value: string, http: boolean): boolean {
  if (!(http ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(value)) return false;
  return URL.canParse(value);
}
