import { createHash } from 'node:crypto';
import { stableUuid } from '../checkmarx/tenant.ts';
import { readBlob, readTree } from '../git/files.ts';
import { headOf } from '../git/repository.ts';
import {
  type Account,
  type Finding,
  type ScannedProject,
  type ScannedState,
  type Weakness,
  weaknessesOf,
} from '../scanners/account.ts';

/** The kinds of findings that SonarQube reports. */
export const sonarKinds = ['sast', 'kics', 'secret'] as const;

export type SonarFinding = {
  weakness: Weakness;
  finding: Finding;
  rule: SonarRule;
  key: string;
  path: string;
  lines: number[];
};
export type SonarRule = { key: string; name: string; isHotspot: boolean; cwe: number; severity: string; html: string };

// The rules of SonarQube for the same weaknesses, by CWE. Hotspots are for review and have no severity.
const codeRules: Readonly<Record<number, [id: string, name: string, isHotspot?: true]>> = {
  89: ['S3649', 'Database queries should not be vulnerable to injection attacks'],
  79: ['S5131', 'Endpoints should not be vulnerable to reflected cross-site scripting (XSS) attacks'],
  22: ['S2083', 'I/O function calls should not be vulnerable to path injection attacks'],
  78: ['S2076', 'OS commands should not be vulnerable to command injection attacks'],
  330: ['S2245', 'Using pseudorandom number generators (PRNGs) is security-sensitive', true],
  346: ['S5739', 'Disabling Strict-Transport-Security policy is security-sensitive', true],
  117: ['S5145', 'Logging should not be vulnerable to injection attacks'],
  918: ['S5144', 'Server-side requests should not be vulnerable to traversing attacks'],
  601: ['S5146', 'HTTP request redirections should not be open to forging attacks'],
};

const severities: Readonly<Record<string, string>> = {
  CRITICAL: 'BLOCKER',
  HIGH: 'CRITICAL',
  MEDIUM: 'MAJOR',
  LOW: 'MINOR',
};

const ruleOf = (weakness: Weakness): SonarRule => {
  if (weakness.kind === 'sast') {
    const { cwe, name, severity, description } = weakness.query;
    const [id, title, isHotspot = false] = codeRules[cwe] ?? [`S${9000 + cwe}`, name.replaceAll('_', ' ')];
    const html = `<h2>Why is this an issue?</h2><p>The code ${description}.</p><ul><li>CWE - <a href="https://cwe.mitre.org/data/definitions/${cwe}">CWE-${cwe}</a></li></ul>`;
    return { key: `javascript:${id}`, name: title, isHotspot, cwe, severity: severities[severity] ?? 'INFO', html };
  }
  if (weakness.kind === 'kics')
    return {
      key: 'docker:S6471',
      name: 'Running containers as a privileged user is security-sensitive',
      isHotspot: false,
      cwe: 250,
      severity: 'MAJOR',
      html: '<p>A container should not run as root.</p>',
    };
  return {
    key: 'secrets:S6290',
    name: 'Amazon Web Services credentials should not be disclosed',
    isHotspot: false,
    cwe: 798,
    severity: 'BLOCKER',
    html: '<p>A secret in code is known to all who read it.</p>',
  };
};

/** The findings of a branch with their rules and real lines. */
export const findingsOf = async (project: ScannedProject, state: ScannedState): Promise<SonarFinding[]> => {
  const weaknesses = new Map((await weaknessesOf(project, sonarKinds)).map((one) => [one.seed, one]));
  return state.findings.flatMap((finding) => {
    const weakness = weaknesses.get(finding.seed);
    if (weakness === undefined || !('lines' in weakness)) return [];
    const key = stableUuid(`sonar ${project.id} ${state.branch} ${finding.seed}`);
    return [{ weakness, finding, rule: ruleOf(weakness), key, path: weakness.path, lines: weakness.lines }];
  });
};

/** The rule with a key; undefined if no finding has it. */
export const ruleNamed = async ({ projects }: Account, key: string): Promise<SonarRule | undefined> => {
  for (const project of projects) {
    const found = (await weaknessesOf(project, sonarKinds)).map(ruleOf).find((rule) => rule.key === key);
    if (found) return found;
  }
  return undefined;
};

/** The MD5 of a line without whitespace, as SonarQube computes it. */
export const lineHash = async ({ source }: ScannedProject, path: string, line: number): Promise<string> => {
  const head = headOf(source.git);
  if (head === undefined) return '';
  const entry = (await readTree(source.git.path, head.sha, true)).find((one) => one.path === path);
  const text = entry === undefined ? '' : (await readBlob(source.git.path, entry.sha)).toString().split('\n')[line - 1];
  return createHash('md5')
    .update((text ?? '').replaceAll(/\s/g, ''))
    .digest('hex');
};
