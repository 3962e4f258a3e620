import { compiler } from 'markdown-to-jsx/react';
import { type ReactNode, useMemo } from 'react';
import { ExternalLink } from '#ui/ExternalLink.tsx';

/**
 * A scanner's Markdown. HTML in it stays text; nothing is loaded from elsewhere, so a picture is a link to itself; what
 * leads to no page of the web stays words.
 */
export const Markdown = ({ text }: { text: string }) => useMemo(() => compiler(text, options), [text]);

const LinkOut = ({ href, children }: { href?: string; children?: ReactNode }) =>
  href === undefined ? children : <ExternalLink href={href}>{children}</ExternalLink>;

const Picture = ({ src, alt }: { src?: string; alt?: string }) => (
  <LinkOut {...(src !== undefined && { href: src })}>{alt || 'Picture'}</LinkOut>
);

// The page has its own first and second headings.
const Heading = ({ children }: { children?: ReactNode }) => <h3>{children}</h3>;
const SubHeading = ({ children }: { children?: ReactNode }) => <h4>{children}</h4>;

const options = {
  disableParsingRawHTML: true,
  disableFrontmatter: true,
  forceBlock: true,
  overrides: {
    a: LinkOut,
    img: Picture,
    h1: Heading,
    h2: Heading,
    h3: Heading,
    h4: SubHeading,
    h5: SubHeading,
    h6: SubHeading,
  },
};
