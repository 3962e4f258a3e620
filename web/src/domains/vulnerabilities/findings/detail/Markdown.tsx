import { compiler } from 'markdown-to-jsx/react';
import { type ComponentType, type ReactNode, useMemo } from 'react';

interface MarkdownProps {
  text: string;
  /** A parameter, so that this chunk contains only the Markdown renderer. */
  LinkOut: ComponentType<{ href: string; children: ReactNode }>;
}

/**
 * Renders Markdown of a scanner. HTML stays text. Nothing is loaded from other sites, so an image becomes a link. Links
 * with other schemes than http(s) become text.
 */
export const Markdown = ({ text, LinkOut }: MarkdownProps) =>
  useMemo(() => compiler(text, optionsWith(LinkOut)), [text, LinkOut]);

// The page has its own headings of levels one and two.
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
