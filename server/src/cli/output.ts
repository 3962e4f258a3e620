import { Refusal } from '#core/errors.ts';
import type { CommandOutput } from './command.ts';

/** Returns the output as a JSON object or as lines. */
export const formatOutput = ({ json, lines }: CommandOutput, asJson: boolean): string =>
  `${asJson ? JSON.stringify(json) : lines.join('\n')}\n`;

/** Returns the message of an error. */
export function formatError(error: unknown, asJson: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Refusal ? error.code : 'failed';
  return `${asJson ? JSON.stringify({ error: { code, message } }) : message}\n`;
}
