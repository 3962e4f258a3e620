/** The Trusted Types API of the W3C; absent in some browsers. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createHTML: (text: string) => string | null },
  ) => { createHTML: (text: string) => string };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

// Libraries write style sheets and single character references as HTML. Text without `<` cannot create elements, so
// only that is permitted; scripts and their URLs are rejected.
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

const documentation = trustedTypes?.createPolicy('sightline-docs', { createHTML: (html) => html });

/** Marks the HTML of a documentation page, which is built from files of this repository, as trusted. */
export const trustDocumentation = (html: string): string => documentation?.createHTML(html) ?? html;
