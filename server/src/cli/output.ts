import { Refusal } from '#core/errors.ts';
import type { CommandOutput } from './command.ts';

/** The answer, as one JSON object or as lines. */
export const answerText = ({ json, lines }: CommandOutput, asJson: boolean): string =>
  `${asJson ? JSON.stringify(json) : lines.join('\n')}\n`;

/** What went wrong, in words. */
export function failureText(error: unknown, asJson: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Refusal ? error.code : 'failed';
  return `${asJson ? JSON.stringify({ error: { code, message } }) : message}\n`;
}
