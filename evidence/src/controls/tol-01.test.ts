import type { ToolDecision } from './rows.ts';
import { known, missing, partly } from './testing/facts.ts';
import { judges } from './testing/table.ts';
import { goodOf, sighting } from './testing/variants.ts';
import { tol01 } from './tol-01.ts';

const decided = { decision: 'approved', from: '2026-01-01T00:00:00.000Z', until: null, versions: null } as const;
const by = (...changed: Partial<ToolDecision>[]) => ({
  decisions: known(changed.map((change) => ({ ...decided, ...change }))),
});

judges(tol01, goodOf(sighting), [
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
  ['is an exception denied', by({ decision: 'denied' }), 'exception', ['tool_denied']],
  ['is an exception denied and approved', by({}, { decision: 'denied' }), 'exception', ['tool_denied']],
  [
    'is an exception denied in this version',
    by({}, { decision: 'denied', versions: ['1.4.*'] }),
    'exception',
    ['tool_denied'],
  ],
  [
    'is an exception denied, whatever the version',
    { ...by({ decision: 'denied' }), version: missing },
    'exception',
    ['tool_denied'],
  ],
  [
    'is an exception denied, though some decisions are not known',
    { decisions: partly([{ ...decided, decision: 'denied' }]) },
    'exception',
    ['tool_denied'],
  ],
  [
    'is an exception unreviewed longer than 14 days',
    { ...by(), firstSeenAt: '2026-06-25T23:59:59.999Z' },
    'exception',
    ['tool_unreviewed_for_long'],
  ],
  [
    'is an exception approved in other versions only, for long',
    { ...by({ versions: ['3.*'] }), firstSeenAt: '2026-06-01T00:00:00.000Z' },
    'exception',
    ['tool_unreviewed_for_long'],
  ],
  ['is a gap unreviewed for 14 days', { ...by(), firstSeenAt: '2026-06-26T00:00:00.000Z' }, 'gap', ['tool_unreviewed']],
  ['is a gap where the approval had ended', by({ until: '2026-07-10T00:00:00.000Z' }), 'gap', ['tool_unreviewed']],
  ['is a gap where the approval came later', by({ from: '2026-07-10T00:00:00.001Z' }), 'gap', ['tool_unreviewed']],
  [
    'is a gap of unknown version approved in some',
    { ...by({ versions: ['1.*'] }), version: missing },
    'gap',
    ['version_unknown'],
  ],
  [
    'is a gap of unknown version approved in all and denied in some',
    { ...by({}, { decision: 'denied', versions: ['2.*'] }), version: missing },
    'gap',
    ['version_unknown'],
  ],
  ['is a gap where decisions are not known', { decisions: missing }, 'gap', ['tool_decisions_missing']],
  ['is a gap where some are not', { decisions: partly([decided]) }, 'gap', ['tool_decisions_missing']],
]);
