import { Refusal } from '#core/errors.ts';
import type { Answer } from './command.ts';

/** The answer on standard output, as one JSON object or as lines. */
export function printAnswer({ json, lines }: Answer, asJson: boolean): void {
  process.stdout.write(`${asJson ? JSON.stringify(json) : lines.join('\n')}\n`);
}

/** What went wrong on standard error, in words. */
export function printFailure(error: unknown, asJson: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Refusal ? error.code : 'failed';
  process.stderr.write(`${asJson ? JSON.stringify({ error: { code, message } }) : message}\n`);
}
