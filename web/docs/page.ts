/** A heading of a page below its title, in the order of the page. */
export interface DocHeading {
  /** As a code host makes it, so that one address leads to it here and there. */
  id: string;
  /** Plain words. */
  text: string;
  level: number;
}

/** A page for users, as the browser gets it. */
export interface DocPage {
  /** The file's name without its ending, and the last part of the address: `explore`. */
  name: string;
  title: string;
  /** The first paragraph in plain words: what the page is for. */
  purpose: string;
  /** Under which heading it stands in the list of pages. */
  group: string;
  headings: DocHeading[];
  /** All below the title. Made at build time; holds no script and no raw HTML of the source. */
  html: string;
}
