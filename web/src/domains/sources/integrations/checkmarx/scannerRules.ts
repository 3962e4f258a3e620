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

/** spec 5: tenant and key are required, the optional base URL must be valid. `http` also allows plain HTTP. */
export function scannerErrorsOf(draft: ScannerDraft, { http = false } = {}): FieldErrors {
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return {
    ...(tenant === '' && { tenant: 'Enter the tenant name' }),
    ...(apiKey === '' && { apiKey: 'Enter an API key' }),
    ...(baseURL !== '' && !isBaseURL(baseURL, http) && { baseURL: 'Start with https:// and give a host name' }),
  };
}

/** Returns the request body. An empty base URL is omitted. */
export function scannerBodyOf(draft: ScannerDraft): { tenant: string; apiKey: string; baseURL?: string } {
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return { tenant, apiKey, ...(baseURL !== '' && { baseURL }) };
}

function isBaseURL(value: string, http: boolean): boolean {
  if (!(http ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(value)) return false;
  return URL.canParse(value);
}
