import type { Ledger } from '@sightline/contract/ledger/ledger.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import { expect, test } from 'vitest';
import { integrationHealth, ledgerHealth } from './health.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const integration = (
  title: string,
  status: Integration['status'],
  category: Integration['category'] = 'source-code-management',
): Integration => ({
  name: title.toLowerCase(),
  title,
  category,
  description: '',
  status,
  detail: null,
  lastSyncAt: status === 'active' ? '2026-11-20T11:00:00Z' : null,
  checkedAt: null,
  problem: null,
  missing: [],
  notes: [],
  links: [],
  defaultURL: null,
});

test('shows a category as failing if one of its integrations fails, and as not connected without an active one', () => {
  const health = integrationHealth([
    integration('GitHub', 'active'),
    integration('GitLab', 'error'),
    integration('Checkmarx', 'inactive', 'security-scanners'),
    integration('VS Code', 'active', 'ide-extensions'),
  ]);
  expect(health).toEqual([
    { name: 'Code hosts', href: '/integrations/source-code-management', tone: 'red', text: 'GitLab failing', at: null },
    {
      name: 'Security scanners',
      href: '/integrations/security-scanners',
      tone: 'gray',
      text: 'Not connected',
      at: null,
    },
    {
      name: 'Editor extensions',
      href: '/integrations/ide-extensions',
      tone: 'green',
      text: 'VS Code',
      at: '2026-11-20T11:00:00Z',
    },
  ]);
});

const ledger = (changes: Partial<Ledger>): Ledger => ({
  epoch: 1,
  origin: 'sightline.example/acme',
  size: 10,
  root: '',
  checkpoint: { size: 10, signedAt: '2026-11-20T11:59:00Z', note: '' },
  keys: [],
  pending: { count: 0, oldest: null },
  anchors: [{ kind: 'rfc3161', party: 'tsa.example', size: 10, at: '2026-11-20T11:00:00Z' }],
  check: null,
  checks: [],
  epochs: [],
  halted: null,
  isPublic: false,
  ...changes,
});

test.each([
  [{}, 'green', 'Signed'],
  [{ halted: 'A checkpoint does not match.' }, 'red', 'Halted'],
  [{ check: { at: '2026-11-20T03:00:00Z', size: 9, problems: 1 } }, 'red', 'Verification failed'],
  [{ pending: { count: 3, oldest: '2026-11-20T11:49:00Z' } }, 'yellow', 'Entries are waiting'],
  [{ pending: { count: 3, oldest: '2026-11-20T11:59:59Z' } }, 'green', 'Signed'],
  [{ checkpoint: null }, 'green', 'No checkpoint yet'],
] as const)('the ledger with %o is %s: %s', (changes, tone, text) => {
  expect(ledgerHealth(ledger(changes), now)[0]).toMatchObject({ name: 'Ledger', tone, text });
});

test('warns about a ledger without an external anchor, since only an external party can detect a rewrite', () => {
  expect(ledgerHealth(ledger({ anchors: [] }), now)[1]).toMatchObject({
    tone: 'yellow',
    text: 'No external anchor configured',
  });
  expect(ledgerHealth(ledger({}), now)[1]).toMatchObject({ tone: 'green', text: 'tsa.example' });
});
