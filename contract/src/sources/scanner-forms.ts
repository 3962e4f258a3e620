import type { ScannerName } from '../core/scan-sources.ts';

/** What the form of a scanner asks for, as the pages show it. The server checks the same fields. */
export interface ScannerForm {
  title: string;
  /** The name in the sentence about who may connect it (spec 2.7). */
  shortTitle: string;
  /** The keys of the scanners whose results it reports, for the filter of findings. */
  tools: readonly string[];
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
    tools: ['checkmarx'],
    defaultURL: 'https://ast.checkmarx.net',
    tenant: { label: 'Tenant name', noun: 'tenant name', isRequired: true },
    apiKey: { label: 'API key', noun: 'key' },
    baseURL: { label: 'Base API URL', hint: 'Only if it differs from the URL in your key.' },
    summary:
      'Scans are imported hourly, and immediately when Checkmarx One reports them. Sightline never changes projects or findings there.',
    needs: ['View projects', 'View scans and results', 'Manage webhooks, for immediate import of scans (optional)'],
    keyPlace: 'In Checkmarx One, create one under Settings, Identity and Access Management, API Keys.',
  },
  sonarqube: {
    title: 'SonarQube',
    shortTitle: 'SonarQube',
    tools: ['sonarqube'],
    defaultURL: undefined,
    tenant: {
      label: 'Organization',
      noun: 'organization key',
      isRequired: false,
      hint: 'Only for SonarQube Cloud: the key in the address of your organization.',
    },
    apiKey: { label: 'Token', noun: 'token' },
    baseURL: { label: 'URL', hint: 'Of your SonarQube Server, or https://sonarcloud.io for SonarQube Cloud.' },
    summary:
      'Vulnerabilities and security hotspots of each analyzed branch are imported hourly. Sightline never changes anything in SonarQube.',
    needs: [
      'Browse on the projects: reads projects, branches, analyses, vulnerabilities, security hotspots and rules',
      'No permission to administer or to execute analyses',
    ],
    keyPlace: 'In SonarQube, create a token of the type User Token under My Account, Security.',
  },
  semgrep: {
    title: 'Semgrep',
    shortTitle: 'Semgrep',
    tools: ['semgrep'],
    defaultURL: 'https://semgrep.dev',
    tenant: {
      label: 'Deployment',
      noun: 'deployment slug',
      isRequired: false,
      hint: 'Its slug. Only if the token has access to several.',
    },
    apiKey: { label: 'Token', noun: 'token' },
    baseURL: { label: 'URL', hint: 'Only for a Semgrep of your own.' },
    summary:
      'Findings of Semgrep Code and Semgrep Supply Chain on the primary branch of each project are imported hourly. Sightline never changes anything in Semgrep.',
    needs: ['Web API scope: reads deployments, projects and findings'],
    keyPlace: 'In Semgrep, create one with the scope Web API under Settings, Tokens, API tokens.',
  },
  snyk: {
    title: 'Snyk',
    shortTitle: 'Snyk',
    tools: ['snyk open source', 'snykcode', 'snyk container', 'snyk iac'],
    defaultURL: 'https://api.snyk.io',
    tenant: { label: 'Organization ID', noun: 'organization ID', isRequired: true },
    apiKey: { label: 'Token', noun: 'token' },
    baseURL: { label: 'URL', hint: 'Only in other regions, such as https://api.eu.snyk.io.' },
    summary: 'Issues of each active project are imported hourly. Sightline never changes anything in Snyk.',
    needs: ['View Organization and View Projects: reads projects with their repositories, and issues'],
    keyPlace: 'In Snyk, create a service account with the role Org Viewer under Settings, Service accounts.',
  },
  'dependency-track': {
    title: 'Dependency-Track',
    shortTitle: 'Dependency-Track',
    tools: ['owasp dependency-track'],
    defaultURL: undefined,
    tenant: undefined,
    apiKey: { label: 'API key', noun: 'key' },
    baseURL: { label: 'URL', hint: 'Of the API server, without /api.' },
    summary:
      'Vulnerable components of each active project are imported hourly. Sightline never changes anything in Dependency-Track.',
    needs: ['VIEW_PORTFOLIO: reads projects', 'VIEW_VULNERABILITY: reads findings and their audit'],
    keyPlace: 'In Dependency-Track, create one for a team under Administration, Access Management, Teams.',
  },
};
