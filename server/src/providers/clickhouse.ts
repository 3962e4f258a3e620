import { FormData, fetch } from 'undici';

/** ClickHouse over HTTP. Every call throws ClickHouseProblem when it is not done. */
export interface ClickHouse {
  /** Rows of a question, each the columns in their order. `{name:Type}` in the text stands for a value. */
  read: <Row extends readonly unknown[]>(text: string, values: ClickHouseParameters) => Promise<Row[]>;
  /** A statement that answers nothing. */
  run: (text: string, values?: ClickHouseParameters) => Promise<void>;
  /** Adds rows to a table of the database. */
  insert: (table: string, rows: readonly object[]) => Promise<void>;
}

export type ClickHouseParameters = Readonly<Record<string, string | number | readonly (string | number)[]>>;

/** Why it did not answer, in words for operators; `code` is ClickHouse's own, undefined where it was not reached. */
export class ClickHouseProblem extends Error {
  override name = 'ClickHouseProblem';
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** It took longer than it was given. */
export const tookTooLong = (problem: unknown): boolean => problem instanceof ClickHouseProblem && problem.code === 159;

// Milliseconds. The server gives up by itself a little earlier.
const timeouts = { read: 6_000, run: 60_000, insert: 60_000 };

/** `url`: with user and password where it asks for them, and the database as its path. */
export function createClickHouse(url: string): ClickHouse {
  const { origin, username, password, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1)) || 'default';
  const headers = {
    'x-clickhouse-database': database,
    ...(username && { 'x-clickhouse-user': decodeURIComponent(username) }),
    ...(password && { 'x-clickhouse-key': decodeURIComponent(password) }),
  };

  async function send(body: FormData | string, search: Record<string, string>, timeout: number): Promise<string> {
    const response = await fetch(`${origin}/?${new URLSearchParams(search)}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    }).catch((error: Error) => {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      throw new ClickHouseProblem(
        `ClickHouse at ${origin} does not answer (${cause?.code ?? cause?.message ?? error.name})`,
      );
    });
    const text = await response.text();
    if (response.ok && !/^Code: \d+\. DB::Exception/.test(text)) return text;
    const code = response.headers.get('x-clickhouse-exception-code') ?? /^Code: (\d+)/.exec(text)?.[1];
    throw new ClickHouseProblem(
      `ClickHouse at ${origin} answers ${response.status}: ${text.slice(0, 300).trim()}`,
      code === undefined ? undefined : Number(code),
    );
  }

  return {
    async read<Row extends readonly unknown[]>(text: string, values: ClickHouseParameters) {
      const settings = {
        default_format: 'JSONCompactEachRow',
        max_execution_time: '5',
        output_format_json_quote_64bit_integers: '0',
      };
      const answer = await send(formOf(text, values), settings, timeouts.read);
      return answer.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
    },
    async run(text, values = {}) {
      await send(formOf(text, values), {}, timeouts.run);
    },
    async insert(table, rows) {
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      await send(lines, { query: `insert into ${table} format JSONEachRow` }, timeouts.insert);
    },
  };
}

/** In the body: an address would not hold a thousand keys, and stands in logs. */
function formOf(text: string, values: ClickHouseParameters): FormData {
  const form = new FormData();
  form.set('query', text);
  for (const [name, value] of Object.entries(values)) form.set(`param_${name}`, written(value));
  return form;
}

// As in files of tabs and lines; inside a list texts stand in quotes.
const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
const quoted = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const written = (value: ClickHouseParameters[string]): string =>
  typeof value === 'object' ? `[${value.map(quoted).join(',')}]` : escaped(String(value));
