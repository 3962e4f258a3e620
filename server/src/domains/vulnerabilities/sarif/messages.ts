import type { RunHead } from './log.ts';
import type { RuleFacts } from './rules.ts';
import { at, type JsonRecord, listOf, textOf } from './shapes.ts';

/** What a result says: its own words, or those its rule or scanner keeps under an id, with the arguments put in. */
export function messageOf(head: RunHead, rule: RuleFacts, result: JsonRecord): string {
  const { message } = result;
  const own = textOf(at(message, 'text')) ?? textOf(at(message, 'markdown'));
  if (own !== undefined) return plain(own, listOf(at(message, 'arguments')));
  const id = at(message, 'id');
  if (typeof id !== 'string') return '';
  const kept =
    at(rule.messages, id) ?? [head.driver, ...head.extensions].map(({ messages }) => at(messages, id)).find(Boolean);
  const template = textOf(at(kept, 'text')) ?? textOf(at(kept, 'markdown')) ?? textOf(kept);
  return template === undefined ? '' : plain(template, listOf(at(message, 'arguments')));
}

// `{0}` stands for an argument and `{{` for a brace; a link to a place or an address keeps its words only.
function plain(text: string, values: readonly unknown[]): string {
  const filled = text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index: string | undefined) => {
    if (index === undefined) return values.length > 0 ? found.slice(1) : found;
    return textOf(values[Number(index)], 1000) ?? found;
  });
  const linkless = filled.replace(/\[((?:[^[\]\\]|\\.){1,500})\]\((?:\d{1,5}|[a-z]+:[^()\s]{1,500})\)/gi, '$1');
  return textOf(linkless.replace(/\\([[\]])/g, '$1'))?.trim() ?? '';
}
