import type { RunHead } from './log.ts';
import type { RuleFacts } from './rules.ts';
import { type JsonRecord, listOrEmpty, storableText, valueAt } from './shapes.ts';

/** Returns the message of a result: its own text, or the template of its rule or scanner with arguments. */
export function resultMessageOf(head: RunHead, rule: RuleFacts, result: JsonRecord): string {
  const { message } = result;
  const ownText = storableText(valueAt(message, 'text')) ?? storableText(valueAt(message, 'markdown'));
  if (ownText !== undefined) return plain(ownText, listOrEmpty(valueAt(message, 'arguments')));
  const id = valueAt(message, 'id');
  if (typeof id !== 'string') return '';
  const templateMessage =
    valueAt(rule.messages, id) ??
    [head.driver, ...head.extensions].map(({ messages }) => valueAt(messages, id)).find(Boolean);
  const template =
    storableText(valueAt(templateMessage, 'text')) ??
    storableText(valueAt(templateMessage, 'markdown')) ??
    storableText(templateMessage);
  return template === undefined ? '' : plain(template, listOrEmpty(valueAt(message, 'arguments')));
}

// `{0}` is a placeholder for an argument and `{{` for a brace; links to locations or URLs are replaced by their text.
function plain(text: string, values: readonly unknown[]): string {
  const filled = text.replace(/\{\{|\}\}|\{(\d{1,3})\}/g, (found, index: string | undefined) => {
    if (index === undefined) return values.length > 0 ? found.slice(1) : found;
    return storableText(values[Number(index)], 1000) ?? found;
  });
  const linkless = filled.replace(/\[((?:[^[\]\\]|\\.){1,500})\]\((?:\d{1,5}|[a-z]+:[^()\s]{1,500})\)/gi, '$1');
  return storableText(linkless.replace(/\\([[\]])/g, '$1'))?.trim() ?? '';
}
