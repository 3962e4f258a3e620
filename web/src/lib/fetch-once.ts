declare global {
  interface Window {
    /** What begin.js asked for before any other script was there. */
    sightlineAhead?: { authorization: string; answers: Map<string, Promise<Response>> };
  }
}

/**
 * What `window.fetch` answers, or what was asked by begin.js for the same session: each of those once, and only while the page
 * is young. `path` is what the question is known by where its URL says more.
 */
export function fetchOnce(url: string, init: RequestInit, path = url): Promise<Response> {
  const ahead = window.sightlineAhead;
  const answer = ahead?.answers.get(path);
  const isMine = new Headers(init.headers).get('authorization') === ahead?.authorization;
  if (ahead === undefined || answer === undefined || !isMine || (init.method ?? 'GET') !== 'GET') {
    return window.fetch(url, init);
  }
  ahead.answers.delete(path);
  if (performance.now() > freshFor) return window.fetch(url, init);
  return answer.catch(() => window.fetch(url, init));
}

/** Milliseconds since the page was opened. */
const freshFor = 10_000;
