/** No server listens there. */
export const unreachableServer = 'http://localhost:9';

const person = {
  account: { id: 'a', name: 'Ada Byron', email: 'ada.byron@example.org' },
  organization: { id: 'o', displayName: 'Acme Engineering' },
  refreshToken: 'none',
};

const entry = (id: string, state: string, more: object) => ({
  id,
  at: Date.UTC(2026, 10, 20, 9, 30),
  state,
  reason: '',
  type: 'web_page_view',
  happenedAt: '2026-11-20T09:30:00.000Z',
  identifiers: {},
  contentUri: 'https://github.com/',
  ...more,
});

const log = [
  entry('4', 'waiting', { identifiers: { kind: 'pull_request' } }),
  entry('3', 'sent', {
    type: 'browser_clipboard',
    identifiers: { action: 'copy', kind: 'code', length: '1284' },
    contentUri: 'https://chatgpt.com/',
  }),
  entry('2', 'dropped', {
    reason: 'identifiers may hold at most 20 entries',
    contentUri: 'https://stackoverflow.com/',
  }),
  entry('1', 'sent', { type: 'other', identifiers: { what: 'extension_installed' }, contentUri: null }),
];

/** The stored state of an extension with recorded events. */
export const populatedState = (more: object = {}) => ({
  server: unreachableServer,
  signIn: person,
  log,
  reportedInstallation: 'before',
  ...more,
});
export const pausedState = () => populatedState({ pause: { until: null } });
export const endedState = () => populatedState({ signIn: { ...person, ended: true } });
