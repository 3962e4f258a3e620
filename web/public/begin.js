// Runs before the first paint, to prevent a flash of the other theme. A separate file, since the content security
// policy permits no inline scripts. Mantine writes this key when the choice changes.
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

// Signed-in users see the page frame immediately, styled by waiting.css while the scripts load. Common requests of such
// pages are sent now (fetch-once.ts uses the responses), except on pages without the frame.
(() => {
  const bare =
    /^\/(login|signup|invitation|auth|logout|authorize|testing|docs|onboarding|link|_|organizations|portal)(\/|$)/;
  const questions = [
    '/api/account/me',
    '/api/v2/auth0mgm/org',
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
    // Low priority, since responses are of no use before the scripts are loaded.
    const answers = new Map(questions.map((url) => [url, fetch(url, { headers, priority: 'low' })]));
    // A failed request is repeated by its consumer.
    for (const answer of answers.values()) answer.catch(() => undefined);
    requestFiles();
    window.sightlineAhead = { authorization: headers.authorization, answers };
  } catch {
    // signed out, or storage is blocked
  }

  // Requests the files of this page, which the build lists, together with those of the shell.
  function requestFiles() {
    const { files, pages } = JSON.parse(document.getElementById('page-files')?.textContent ?? '{"pages":{}}');
    for (const position of pages[location.pathname] ?? []) {
      const file = files[position];
      const isStyle = file.endsWith('.css');
      const link = document.createElement('link');
      link.rel = isStyle ? 'preload' : 'modulepreload';
      if (isStyle) link.as = 'style';
      link.crossOrigin = '';
      link.fetchPriority = 'low';
      link.href = `/${file}`;
      document.head.append(link);
    }
  }
})();
