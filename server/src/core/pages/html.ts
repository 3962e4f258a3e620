/** Markup that is safe to send: every value in it was escaped. */
export interface Html {
  markup: string;
}

type HtmlValue = string | number | Html | readonly Html[] | false | undefined;

/** A template whose values are escaped unless they are markup themselves. */
export const html = (parts: TemplateStringsArray, ...values: HtmlValue[]): Html => ({
  markup: parts.reduce((all, part, index) => all + markupOf(values[index - 1]) + part),
});

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map((item) => item.markup).join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
