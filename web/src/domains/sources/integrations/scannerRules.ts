/** What is typed into the form of the scanner. */
export interface ScannerDraft {
  tenant: string;
  apiKey: string;
  baseURL: string;
}

export type ScannerField = keyof ScannerDraft;
export type FieldErrors = Partial<Record<ScannerField, string>>;

/** A pasted key comes with spaces and line breaks around and, from a mail, within it; no key has any of its own. */
const cleaned = ({ tenant, apiKey, baseURL }: ScannerDraft): ScannerDraft => ({
  tenant: tenant.trim(),
  apiKey: apiKey.replaceAll(/\s+/g, ''),
  baseURL: baseURL.trim(),
});

/** spec 5: tenant and key are required, the base URL is optional and must be a URL. Plain http only where `http` says so. */
export function errorsOf(draft: ScannerDraft, { http = false } = {}): FieldErrors {
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return {
    ...(tenant === '' && { tenant: 'Enter the tenant name' }),
    ...(apiKey === '' && { apiKey: 'Enter an API key' }),
    ...(baseURL !== '' && !isBaseURL(baseURL, http) && { baseURL: 'Start with https:// and give a host name' }),
  };
}

/** What is sent: an empty base URL is none. */
export function bodyOf(draft: ScannerDraft): { tenant: string; apiKey: string; baseURL?: string } {
  const { tenant, apiKey, baseURL } = cleaned(draft);
  return { tenant, apiKey, ...(baseURL !== '' && { baseURL }) };
}

function isBaseURL(value: string, http: boolean): boolean {
  if (!(http ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(value)) return false;
  return URL.canParse(value);
}
