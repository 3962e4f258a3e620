import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

/** Returns the tokens of each line; for an unknown language, one plain token per line. */
export function tokensByLine(lines: readonly string[], filePath: string): { type: string; value: string }[][] {
  const plain = lines.map((value) => [{ type: 'plain', value }]);
  const name = filePath.slice(filePath.lastIndexOf('/') + 1).toLowerCase();
  const known = lang(name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name);
  const language = languages.find(({ id }) => id === known);
  if (!language) return plain;
  const parsed = parse(lines.join('\n'), language.config).lines;
  return lines.map((value, index) => {
    const tokens = parsed[index]?.tokens ?? [];
    // The tokens of an incomplete file may be wrong. A line whose tokens change its text is shown as plain text.
    return tokens.map((token) => token.value).join('') === value ? [...tokens] : [{ type: 'plain', value }];
  });
}
