// Before the first paint, so that nobody sees a flash of the other theme. A file of its own: the content security
// policy allows no inline script. The key is Mantine's own, which writes it when the choice changes.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // storage can be blocked: follow the system
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// Whoever is signed in sees the frame of the page at once, drawn by waiting.css while the scripts are on their way, and what
// every such page asks for is asked now (fetch-once.ts takes the answers). Not where a page has no such frame.
(() => {
  const bare =
    /^\/(login|signup|invitation|auth|logout|authorize|testing|docs|onboarding|link|_|organizations|portal)(\/|$)/;
  const questions = [
    '/api/account/me',
    '/api/v2/auth0mgm/user/organizations?include_invitations=true',
    '/api/v2/user/ext-status',
    '/api/v2/flags/frontend',
  ];
  try {
    const token = localStorage.getItem('accessToken');
    const [, payload = ''] = token.split('.');
    const { orgID, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (!orgID || exp * 1000 < Date.now() || bare.test(location.pathname)) return;
    document.documentElement.setAttribute('data-framed', '');
    const headers = { authorization: `Bearer ${token}` };
    // Nothing can be done with an answer before the scripts are there.
    const answers = new Map(questions.map((url) => [url, fetch(url, { headers, priority: 'low' })]));
    // A question that fails is asked again by whoever wants the answer.
    for (const answer of answers.values()) answer.catch(() => undefined);
    window.sightlineAhead = { authorization: headers.authorization, answers };
  } catch {
    // nobody is signed in, or storage is blocked
  }
})();
