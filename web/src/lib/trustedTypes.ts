/** As in the W3C's Trusted Types; browsers without it have none. */
interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { createHTML: (text: string) => string | null },
  ) => { createHTML: (text: string) => string };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

// Libraries write style sheets and single character references as HTML. Text without `<` makes no element, so nothing else passes; scripts and
// their addresses have no rule, and are refused.
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });

const documentation = trustedTypes?.createPolicy('sightline-docs', { createHTML: (html) => html });

/** The HTML of a page of the documentation, which was made from files of this repository while building, for a place that takes HTML. */
export const trustDocumentation = (html: string): string => documentation?.createHTML(html) ?? html;
