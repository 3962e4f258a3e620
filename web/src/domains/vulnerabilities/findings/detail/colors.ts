import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';

/** The tokens of each line; one plain token a line where the language is not known, or lines would be lost. */
export function tokensOf(lines: readonly string[], filePath: string): { type: string; value: string }[][] {
  const plain = lines.map((value) => [{ type: 'plain', value }]);
  const name = filePath.slice(filePath.lastIndexOf('/') + 1).toLowerCase();
  const known = lang(name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name);
  const language = languages.find(({ id }) => id === known);
  if (!language) return plain;
  const parsed = parse(lines.join('\n'), language.config).lines;
  return lines.map((value, index) => {
    const tokens = parsed[index]?.tokens ?? [];
    // Whatever a parser makes of half a file: what is shown is what stands there.
    return tokens.map((token) => token.value).join('') === value ? [...tokens] : [{ type: 'plain', value }];
  });
}
