import type { ScannerName } from '../core/scan-sources.ts';

/** What the form of a scanner asks for, as the pages show it. The server checks the same fields. */
export interface ScannerForm {
  title: string;
  /** The name in the sentence about who may connect it (spec 2.7). */
  shortTitle: string;
  /** The host without an entered URL; undefined if each installation has its own, so that the URL is required. */
  defaultURL: string | undefined;
  /** The account at the scanner; undefined if it has none. */
  tenant: { label: string; noun: string; isRequired: boolean; hint?: string } | undefined;
  apiKey: { label: string; noun: string };
  baseURL: { label: string; hint: string };
  /** When scans are imported, and what is never changed. */
  summary: string;
  /** The permissions of the key, each with what is read with it. */
  needs: readonly string[];
  /** Where to create a key, as a sentence. */
  keyPlace: string;
}

export const scannerForms: Readonly<Record<ScannerName, ScannerForm>> = {
  checkmarx: {
    title: 'Checkmarx One',
    shortTitle: 'Checkmarx',
    defaultURL: 'https://ast.checkmarx.net',
    tenant: { label: 'Tenant name', noun: 'tenant name', isRequired: true },
    apiKey: { label: 'API key', noun: 'key' },
    baseURL: { label: 'Base API URL', hint: 'Only if it differs from the URL in your key.' },
    summary:
      'Scans are imported hourly, and immediately when Checkmarx One reports them. Sightline never changes projects or findings there.',
    needs: ['View projects', 'View scans and results', 'Manage webhooks, for immediate import of scans (optional)'],
    keyPlace: 'In Checkmarx One, create one under Settings, Identity and Access Management, API Keys.',
  },
};
