import type { ToolDecision } from './rows.ts';
import { known, missing, partly } from './testing/facts.ts';
import { evaluates } from './testing/table.ts';
import { goodOf, sighting } from './testing/variants.ts';
import { tol01 } from './tol-01.ts';

const decided = { decision: 'approved', from: '2026-01-01T00:00:00.000Z', until: null, versions: null } as const;
const by = (...changed: Partial<ToolDecision>[]) => ({
  decisions: known(changed.map((change) => ({ ...decided, ...change }))),
});

evaluates(tol01, goodOf(sighting), [
  ['passes approved when seen', {}, 'pass', ['tool_approved']],
  ['passes approved in this version', by({ versions: ['1.*'] }), 'pass', ['tool_approved']],
  [
    'passes approved where another version is denied',
    by({}, { decision: 'denied', versions: ['2.*'] }),
    'pass',
    ['tool_approved'],
  ],
  [
    'passes approved by one that ended, and by the next',
    by({ until: '2026-07-09T00:00:00.000Z' }, {}),
    'pass',
    ['tool_approved'],
  ],
  ['fails denied', by({ decision: 'denied' }), 'fail', ['tool_denied']],
  ['fails denied and approved', by({}, { decision: 'denied' }), 'fail', ['tool_denied']],
  [
    'is an exception denied in this version',
    by({}, { decision: 'denied', versions: ['1.4.*'] }),
    'fail',
    ['tool_denied'],
  ],
  [
    'is an exception denied, whatever the version',
    { ...by({ decision: 'denied' }), version: missing },
    'fail',
    ['tool_denied'],
  ],
  [
    'is an exception denied, though some decisions are not known',
    { decisions: partly([{ ...decided, decision: 'denied' }]) },
    'fail',
    ['tool_denied'],
  ],
  [
    'is an exception unreviewed longer than 14 days',
    { ...by(), firstSeenAt: '2026-06-25T23:59:59.999Z' },
    'fail',
    ['tool_unreviewed_over_limit'],
  ],
  [
    'is an exception approved in other versions only, for long',
    { ...by({ versions: ['3.*'] }), firstSeenAt: '2026-06-01T00:00:00.000Z' },
    'fail',
    ['tool_unreviewed_over_limit'],
  ],
  [
    'has missing evidence unreviewed for 14 days',
    { ...by(), firstSeenAt: '2026-06-26T00:00:00.000Z' },
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'has missing evidence where the approval had ended',
    by({ until: '2026-07-10T00:00:00.000Z' }),
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'has missing evidence where the approval came later',
    by({ from: '2026-07-10T00:00:00.001Z' }),
    'missing_evidence',
    ['tool_unreviewed'],
  ],
  [
    'is a gap of unknown version approved in some',
    { ...by({ versions: ['1.*'] }), version: missing },
    'missing_evidence',
    ['version_unknown'],
  ],
  [
    'is a gap of unknown version approved in all and denied in some',
    { ...by({}, { decision: 'denied', versions: ['2.*'] }), version: missing },
    'missing_evidence',
    ['version_unknown'],
  ],
  [
    'has missing evidence where decisions are not known',
    { decisions: missing },
    'missing_evidence',
    ['tool_decisions_missing'],
  ],
  [
    'has missing evidence where some are not',
    { decisions: partly([decided]) },
    'missing_evidence',
    ['tool_decisions_missing'],
  ],
]);
