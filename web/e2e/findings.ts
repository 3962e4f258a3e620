import { expect, type Page } from '@playwright/test';
import { createRepository } from '../../sandbox/src/testing/repository.ts';
import { authorizationHeader } from './steps.ts';

/** A repository with some vulnerable lines. */
export async function createVulnerable(folder: string) {
  const repository = createRepository(folder);
  await repository.start();
  await repository.commit('Preview webhooks', {
    'src/webhooks/preview.ts': `${code.join('\n')}\n`,
    'src/session/verify.ts': 'export const verify = (token: string) => decode(token);\n',
    'package-lock.json': '{}\n',
  });
  return repository;
}

const code = [
  "import { ask } from '../net.ts';",
  '',
  '// shows what a webhook would send',
  'export async function preview(request: PreviewRequest) {',
  "  const target = request.query.url ?? 'https://example.org';",
  '  const id = request.params.account;',
  '  const answer = await ask(target, { headers: { id } });',
  '  return answer.text();',
  '}',
];

interface TestResult {
  rule: string;
  name: string;
  /** As reported by scanners: 9 and above is critical, 7 high, 4 medium. */
  score: string;
  cwe: string;
  path: string;
  line: number;
  flow?: { line: number; message: string }[];
}

export const forgery: TestResult = {
  rule: 'js/request-forgery',
  name: 'Request forgery in webhook preview',
  score: '9.8',
  cwe: '918',
  path: 'src/webhooks/preview.ts',
  line: 7,
  flow: [
    { line: 5, message: 'Untrusted value enters here' },
    { line: 7, message: 'Is asked unchecked' },
  ],
};
const unchecked: TestResult = {
  rule: 'js/missing-audience',
  name: 'Session token accepted without audience check',
  score: '7.5',
  cwe: '345',
  path: 'src/session/verify.ts',
  line: 1,
};
/** Twelve findings: one critical, one high and ten of medium severity. None equals an alert of the sandbox's GitHub. */
export const testFindings: readonly TestResult[] = [
  forgery,
  unchecked,
  ...Array.from({ length: 10 }, (_, index) => ({
    rule: `js/fixed-constant-${index}`,
    name: `Fixed constant number ${index + 1}`,
    score: '5.0',
    cwe: '547',
    path: 'src/webhooks/preview.ts',
    line: (index % 9) + 1,
  })),
];

/** Uploads scan results as a build does, and waits until they are processed. */
export async function uploadScan(page: Page, repository: string, results: readonly TestResult[]): Promise<void> {
  const answer = await page.request.post(`/api/v2/repositories/github/${encodeURIComponent(repository)}/sarif`, {
    headers: { ...(await authorizationHeader(page)), 'content-type': 'application/sarif+json' },
    data: JSON.stringify(logOf(results)),
  });
  expect(answer.status(), await answer.text()).toBe(202);
  const scans = (await answer.json()) as { id: string }[];
  for (const { id } of scans) {
    await expect
      .poll(async () => {
        const scan = await page.request.get(`/api/v2/scans/${id}`, { headers: await authorizationHeader(page) });
        return ((await scan.json()) as { state: string }).state;
      })
      .toBe('done');
  }
}

const logOf = (results: readonly TestResult[]) => ({
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'Semgrep',
          rules: results.map(({ rule, name, score, cwe }) => ({
            id: rule,
            shortDescription: { text: name },
            help: {
              text: name,
              markdown: `**${name}**: use a fixed list instead.\n\n- See [the guide](https://example.org/guide).`,
            },
            properties: { 'security-severity': score, tags: ['security', `external/cwe/cwe-${cwe}`] },
          })),
        },
      },
      results: results.map(({ rule, name, path, line, flow }) => ({
        ruleId: rule,
        message: { text: `${name}: this depends on a user-provided value.` },
        locations: [locationOf(path, line)],
        partialFingerprints: { primaryLocationLineHash: `${rule}:${line}` },
        ...(flow && {
          codeFlows: [
            {
              threadFlows: [
                {
                  locations: flow.map((step) => ({
                    location: { ...locationOf(path, step.line), message: { text: step.message } },
                  })),
                },
              ],
            },
          ],
        }),
      })),
    },
  ],
});

const locationOf = (uri: string, startLine: number) => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine } },
});
