/** All user documentation pages, in the order of the table of contents; built by `web/docs/plugin.ts` from `docs/`. */
declare module 'virtual:user-docs' {
  export type DocPage = import('../docs/page.ts').DocPage;
  export type DocHeading = import('../docs/page.ts').DocHeading;
  export const pages: readonly DocPage[];
}
