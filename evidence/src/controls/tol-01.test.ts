import type { ToolDecision } from './rows.ts';
import { completeFact, missingFact, partialFact } from './testing/facts.ts';
import { testVerdicts } from './testing/table.ts';
import { passingRowOf, toolUse } from './testing/variants.ts';
import { tol01 } from './tol-01.ts';

const decided = { decision: 'approved', from: '2026-01-01T00:00:00.000Z', until: null, versions: null } as const;
const by = (...changed: Partial<ToolDecision>[]) => ({
  decisions: completeFact(changed.map((change) => ({ ...decided, ...change }))),
});

testVerdicts(tol01, passingRowOf(toolUse), [
  ['passes if approved when seen', {}, 'pass', ['tool_approved']],
  ['passes if approved in this version', by({ versions: ['1.*'] }), 'pass', ['tool_approved']],
  [
    'passes if approved and another version is denied',
    by({}, { decision: 'denied', versions: ['2.*'] }),
    'pass',
    ['tool_approved'],
  ],
  [
    'passes if approved by an ended decision and by the next one',
    by({ until: '2026-07-09T00:00:00.000Z' }, {}),
    'pass',
    ['tool_approved'],
  ],
  ['fails if denied', by({ decision: 'denied' }), 'fail', ['tool_denied']],
  ['fails if denied and approved', by({}, { decision: 'denied' }), 'fail', ['tool_denied']],
  ['fails if denied in this version', by({}, { decision: 'denied', versions: ['1.4.*'] }), 'fail', ['tool_denied']],
  [
    'fails if denied in all versions, for any version',
    { ...by({ decision: 'denied' }), version: missingFact },
    'fail',
    ['tool_denied'],
  ],
  [
    'fails if denied, even if some decisions are unknown',
    { decisions: partialFact([{ ...decided, decision: 'denied' }]) },
    'fail',
    ['tool_denied'],
  ],
  [
    'fails if unreviewed for more than 14 days',
    { ...by(), firstSeenAt: '2026-06-25T23:59:59.999Z' },
    'fail',
    ['tool_unreviewed_over_limit'],
  ],
  [
    'fails if approved in other versions only, after the time limit',
    { ...by({ versions: ['3.*'] }), firstSeenAt: '2026-06-01T00:00:00.000Z' },
    'fail',
    ['tool_unreviewed_over_limit'],
  ],
  [
    'has missing evidence if unreviewed for 14 days',
    { ...by(), firstSeenAt: '2026-06-26T00:00:00.000Z' },
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'has missing evidence if the approval had ended',
    by({ until: '2026-07-10T00:00:00.000Z' }),
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'has missing evidence if the approval came later',
    by({ from: '2026-07-10T00:00:00.001Z' }),
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'has missing evidence if some versions are approved and the version is unknown',
    { ...by({ versions: ['1.*'] }), version: missingFact },
    'missing_evidence',
    ['version_unknown'],
  ],
  [
    'has missing evidence if some versions are denied and the version is unknown',
    { ...by({}, { decision: 'denied', versions: ['2.*'] }), version: missingFact },
    'missing_evidence',
    ['version_unknown'],
  ],
  [
    'has missing evidence if decisions are unknown',
    { decisions: missingFact },
    'missing_evidence',
    ['tool_decisions_missing'],
  ],
  [
    'has missing evidence if some are unknown',
    { decisions: partialFact([decided]) },
    'missing_evidence',
    ['tool_decisions_missing'],
  ],
]);
