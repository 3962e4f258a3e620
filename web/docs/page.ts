/** A heading of a page below its title, in page order. */
export interface DocHeading {
  /** Generated as on GitHub, so that the same anchor works in both places. */
  id: string;
  /** Plain text. */
  text: string;
  level: number;
}

/** A user documentation page, as sent to the browser. */
export interface DocPage {
  /** File name without extension, and last URL segment: `explore`. */
  name: string;
  title: string;
  /** The first paragraph as plain text: the purpose of the page. */
  purpose: string;
  /** Heading of its group in the table of contents. */
  group: string;
  headings: DocHeading[];
  /** Content below the title, rendered at build time. It contains no scripts and no raw HTML of the source. */
  html: string;
}
