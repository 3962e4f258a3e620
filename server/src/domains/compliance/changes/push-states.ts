/** What is stored of a push. The names are those of `branch_push.completeness` and of ledger entries. */
export type StoredPushState = 'complete' | 'truncated' | 'lost' | 'recovered';

/** `unknown`: nothing is stored of it. */
export type PushState = StoredPushState | 'unknown';

/**
 * `reportedComplete`, `reportedTruncated`: the code host reported the push, with or without all its commits.
 * `missed`: another push or a branch check shows that the branch moved without a report.
 * `covered`: stored pushes lead from its start to its end, or the activity list of the host is complete.
 */
export type PushEvent = 'reportedComplete' | 'reportedTruncated' | 'missed' | 'covered';

/** The transition table. An event without an entry changes nothing. `complete` and `recovered` are final. */
export const pushTransitions: Readonly<Record<PushState, Readonly<Partial<Record<PushEvent, StoredPushState>>>>> = {
  unknown: { reportedComplete: 'complete', reportedTruncated: 'truncated', missed: 'lost' },
  lost: { reportedComplete: 'complete', reportedTruncated: 'truncated', covered: 'recovered' },
  truncated: { reportedComplete: 'complete' },
  complete: {},
  recovered: {},
};

/** The state after an event; undefined if the event changes nothing. */
export const nextPushState = (state: PushState, event: PushEvent): StoredPushState | undefined =>
  pushTransitions[state][event];
