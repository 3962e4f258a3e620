import type { FormData } from 'undici';

/** ClickHouse over HTTP. Every method throws ClickHouseProblem on failure. */
export interface ClickHouse {
  /** Runs a query and returns rows as arrays of columns. `{name:Type}` in the text is a parameter. */
  read: <Row extends readonly unknown[]>(text: string, values: ClickHouseParameters) => Promise<Row[]>;
  /** Runs a statement without a result. */
  run: (text: string, values?: ClickHouseParameters) => Promise<void>;
  /** Inserts rows into a table. */
  insert: (table: string, rows: readonly object[]) => Promise<void>;
}

export type ClickHouseParameters = Readonly<Record<string, string | number | readonly (string | number)[]>>;

/** A failure with a message for operators. `code`: the ClickHouse error code; undefined if it was unreachable. */
export class ClickHouseProblem extends Error {
  override name = 'ClickHouseProblem';
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Whether a query exceeded its time limit. */
export const isTimeLimitExceeded = (problem: unknown): boolean =>
  problem instanceof ClickHouseProblem && problem.code === 159;

// The server stops queries slightly earlier.
const timeoutsMs = { read: 6_000, run: 60_000, insert: 60_000 };

/** `url`: with optional user and password, and the database as path. */
export function createClickHouse(url: string): ClickHouse {
  const { origin, username, password, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1)) || 'default';
  const headers = {
    'x-clickhouse-database': database,
    ...(username && { 'x-clickhouse-user': decodeURIComponent(username) }),
    ...(password && { 'x-clickhouse-key': decodeURIComponent(password) }),
  };

  async function send(body: FormData | string, search: Record<string, string>, timeout: number): Promise<string> {
    const { fetch } = await import('undici');
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
      const answer = await send(await formOf(text, values), settings, timeoutsMs.read);
      return answer.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
    },
    async run(text, values = {}) {
      await send(await formOf(text, values), {}, timeoutsMs.run);
    },
    async insert(table, rows) {
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      await send(lines, { query: `insert into ${table} format JSONEachRow` }, timeoutsMs.insert);
    },
  };
}

/** Parameters are sent in the body, because URLs are limited in length and appear in logs. */
async function formOf(text: string, values: ClickHouseParameters): Promise<FormData> {
  const { FormData: Form } = await import('undici');
  const form = new Form();
  form.set('query', text);
  for (const [name, value] of Object.entries(values)) form.set(`param_${name}`, serialized(value));
  return form;
}

// Escapes a value as in the format TSV. Texts within arrays are quoted.
const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
const quoted = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const serialized = (value: ClickHouseParameters[string]): string =>
  typeof value === 'object' ? `[${value.map(quoted).join(',')}]` : escaped(String(value));
