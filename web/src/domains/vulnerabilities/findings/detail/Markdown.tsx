import { compiler } from 'markdown-to-jsx/react';
import { type ComponentType, type ReactNode, useMemo } from 'react';

interface MarkdownProps {
  text: string;
  /** Given, so that this part brings along nothing but the reader of Markdown. */
  LinkOut: ComponentType<{ href: string; children: ReactNode }>;
}

/**
 * A scanner's Markdown. HTML in it stays text; nothing is loaded from elsewhere, so a picture is a link to itself; what
 * leads to no page of the web stays words.
 */
export const Markdown = ({ text, LinkOut }: MarkdownProps) =>
  useMemo(() => compiler(text, optionsWith(LinkOut)), [text, LinkOut]);

// The page has its own first and second headings.
const Heading = ({ children }: { children?: ReactNode }) => <h3>{children}</h3>;
const SubHeading = ({ children }: { children?: ReactNode }) => <h4>{children}</h4>;

const optionsWith = (LinkOut: MarkdownProps['LinkOut']) => ({
  disableParsingRawHTML: true,
  disableFrontmatter: true,
  forceBlock: true,
  overrides: {
    a: ({ href = '', children }: { href?: string; children?: ReactNode }) => <LinkOut href={href}>{children}</LinkOut>,
    img: ({ src = '', alt }: { src?: string; alt?: string }) => <LinkOut href={src}>{alt || 'Picture'}</LinkOut>,
    h1: Heading,
    h2: Heading,
    h3: Heading,
    h4: SubHeading,
    h5: SubHeading,
    h6: SubHeading,
  },
});
