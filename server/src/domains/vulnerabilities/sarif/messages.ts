import type { RunHead } from './log.ts';
import type { RuleFacts } from './rules.ts';
import { at, type JsonRecord, listOf, textOf } from './shapes.ts';

/** Returns the message of a result: its own text, or the template of its rule or scanner with arguments. */
export function messageOf(head: RunHead, rule: RuleFacts, result: JsonRecord): string {
  const { message } = result;
  const ownText = textOf(at(message, 'text')) ?? textOf(at(message, 'markdown'));
  if (ownText !== undefined) return plain(ownText, listOf(at(message, 'arguments')));
  const id = at(message, 'id');
  if (typeof id !== 'string') return '';
  const templateMessage =
    at(rule.messages, id) ?? [head.driver, ...head.extensions].map(({ messages }) => at(messages, id)).find(Boolean);
  const template =
    textOf(at(templateMessage, 'text')) ?? textOf(at(templateMessage, 'markdown')) ?? textOf(templateMessage);
  return template === undefined ? '' : plain(template, listOf(at(message, 'arguments')));
}

// `{0}` is a placeholder for an argument and `{{` for a brace; links to locations or URLs are replaced by their text.
function plain(text: string, values: readonly unknown[]): string {
  const filled = text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index: string | undefined) => {
    if (index === undefined) return values.length > 0 ? found.slice(1) : found;
    return textOf(values[Number(index)], 1000) ?? found;
  });
  const linkless = filled.replace(/\[((?:[^[\]\\]|\\.){1,500})\]\((?:\d{1,5}|[a-z]+:[^()\s]{1,500})\)/gi, '$1');
  return textOf(linkless.replace(/\\([[\]])/g, '$1'))?.trim() ?? '';
}
