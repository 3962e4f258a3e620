import { parse } from 'sugar-high/core';
import { languages } from 'sugar-high/lang';

/** Renders a code block with syntax highlighting, if the language is supported, and a copy button. */
export function renderCode(text: string, language = ''): string {
  const known = languages.find(({ id }) => id === (spellings[language] ?? language));
  const code = known ? parse(text, known.config).lines.map(lineOf).join('\n') : escapeHtml(text);
  return `<div data-code><pre tabindex="0"><code>${code}</code></pre><button type="button" data-copy>Copy</button></div>`;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

const spellings: Record<string, string> = { js: 'javascript', sh: 'shell', ts: 'typescript' };

const lineOf = ({ tokens }: { tokens: readonly { type: string; value: string }[] }): string =>
  tokens
    .map(({ type, value }) =>
      colored.has(type) ? `<span data-token="${type}">${escapeHtml(value)}</span>` : escapeHtml(value),
    )
    .join('');

const colored = new Set(['keyword', 'string', 'property', 'class', 'entity', 'comment']);
