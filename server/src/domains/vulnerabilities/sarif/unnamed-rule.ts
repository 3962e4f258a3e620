import { type JsonRecord, listOrEmpty, storableText, valueAt } from './shapes.ts';

/**
 * Derives the rule ID of a result without a rule: the words of its message without variable parts, which are quoted
 * names, paths, qualified names and numbers. `message` must not contain a secret.
 */
export function deriveRuleId(raw: JsonRecord, message: string, isSecret: boolean): string {
  const hasArguments = listOrEmpty(valueAt(raw, 'message', 'arguments')).length > 0;
  const template = hasArguments && !isSecret ? storableText(valueAt(raw, 'message', 'text')) : undefined;
  const [line = ''] = (template ?? message).trim().split('\n');
  const words = line
    .replace(/`[^`]*`|"[^"]*"|(?<!\p{L})'[^']*'|“[^”]*”|‘[^’]*’|«[^»]*»/gu, ' ')
    .replace(/\S*[\p{N}/\\_:=@{}<>•]\S*|\S+\.\S+/gu, ' ')
    .toLowerCase()
    .match(/\p{L}+/gu);
  return words === null ? 'unnamed' : `unnamed/${words.join('-').slice(0, 120)}`;
}
