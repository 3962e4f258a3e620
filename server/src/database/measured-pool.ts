import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** Called when a statement starts, with its name or its first word. Calls the returned function when it has ended. */
export type StartStatement = (name: string) => ((failed: boolean) => void) | undefined;

type Callback = (error: Error | undefined, ...rest: unknown[]) => void;
type QueryMethod = (...given: unknown[]) => unknown;

/** Measures every statement of a pool, in the context of its caller. */
export function measureStatements(pool: pg.Pool, start: StartStatement): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown;
  // The pool runs the callback in the context of the caller that released the connection.
  pool.connect = ((callback?: Callback) =>
    connect(callback && AsyncLocalStorage.bind(callback))) as typeof pool.connect;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as QueryMethod;
    client.query = ((...given: unknown[]) => {
      const end = start(nameOf(given[0]));
      if (!end) return query(...given);
      const callback = given.at(-1);
      if (typeof callback === 'function') {
        return query(...given.slice(0, -1), (error: Error | undefined, ...rest: unknown[]) => {
          end(Boolean(error));
          (callback as Callback)(error, ...rest);
        });
      }
      const answer = query(...given);
      if (answer instanceof Promise)
        answer.then(
          () => end(false),
          () => end(true),
        );
      return answer;
    }) as typeof client.query;
  });
}

function nameOf(statement: unknown): string {
  const { name, text } = typeof statement === 'string' ? { name: '', text: statement } : (statement as pg.QueryConfig);
  return name || (/\w+/.exec(text ?? '')?.[0].toLowerCase() ?? 'statement');
}
